// Saving a draft: at once by Ctrl+S, and by itself a moment after the last change.

import { html } from "../../theatre/dom.js";

const PAUSE_MS = 3000;

/** @param {{drafts: any, account: any, signIn: string, language: () => string, files: () => Record<string, string>, reopen: () => void}} given */
export function createSaving({ drafts, account, signIn, language, files, reopen }) {
  const state = html("span", { class: "quiet small", role: "status" });
  const link = html("p", { class: "shared small", role: "status", hidden: true });
  let timer = 0;
  let saving = null;

  const say = (...words) => state.replaceChildren(...words);
  const button = (label, onclick) => html("button", { type: "button", class: "link small", onclick }, label);
  const clock = () => new Date().toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });

  async function save(over = false) {
    clearTimeout(timer);
    const [chosen, texts] = [language(), files()];
    drafts.keep(chosen, texts);
    if (!account) return say("Saved in this browser. ", html("a", { href: signIn }, "Sign in"), " to save drafts to your account.");
    await saving;
    saving = drafts.save(chosen, texts, over).then(
      ({ words }) => {
        if (JSON.stringify(texts) === JSON.stringify(files())) drafts.keep(chosen, texts, false);
        say(`Saved to your account at ${clock()}. `, html("a", { href: account.page }, words));
      },
      (error) => {
        if (error.status !== 409) return say(`Saved in this browser, but not to your account: ${error.message}`);
        say(`${error.message} `, button("Overwrite it", () => save(true)), " ", button("Load it instead", () => { drafts.discard(chosen); reopen(); }));
      },
    );
    return saving;
  }

  return {
    state, link, save: () => save(),
    changed() {
      link.hidden = true;
      clearTimeout(timer);
      drafts.keep(language(), files());
      if (account) {
        say("Not saved to your account yet.");
        timer = setTimeout(save, PAUSE_MS);
      }
    },
    /** Leave a language whose changes may be waiting. */
    async settle() {
      if (timer) clearTimeout(timer);
      await saving;
    },
    opened(isUnsaved) {
      if (!account) return say("Saved in this browser. ", html("a", { href: signIn }, "Sign in"), " to save drafts to your account.");
      if (!isUnsaved) return say(html("a", { href: account.page }, "Drafts are saved to your account."));
      say("This browser has changes that your account does not have. ", button("Save them", () => save()));
    },
    async share() {
      link.hidden = false;
      if (!account) return link.replaceChildren(html("a", { href: signIn }, "Sign in"), " to share a draft by a link.");
      try {
        const { address, words } = await drafts.share(language(), files());
        const whole = new URL(address, location.href).href;
        link.replaceChildren("Anyone with this link can read a copy of this draft as it is now: ", html("a", { href: whole }, whole), `. ${words}`);
      } catch (error) {
        link.replaceChildren(html("span", { class: "problem" }, `The draft could not be shared: ${error.message}`));
      }
    },
  };
}
