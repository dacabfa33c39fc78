// A link to a play that is over: on the page of a user, or for some days from a guest.

import { html } from "../../theatre/dom.js";

/** @param {{keep: any, share: any, replay: () => Promise<Uint8Array<ArrayBuffer>>, say: (...words: (Node | string)[]) => void}} given */
export function createSharing({ keep, share, replay, say }) {
  async function send() {
    say("Sending it to the server …");
    try {
      const { page, problem } = await (keep ? toOwnPage() : asGuest());
      if (!page) throw new Error(problem);
      const link = new URL(page, location.href).href;
      const shown = html("a", { href: page }, link);
      const copy = html("button", { type: "button", class: "button slight", onclick: () => copied(link, copy) }, "Copy link");
      const until = keep ? "Saved to your profile." : `Anyone can open this link for ${share.days} days.`;
      say(`${until} `, shown, " ", navigator.clipboard ? copy : "");
    } catch (error) {
      say(`The play could not be shared: ${error.message}`);
    }
  }

  async function toOwnPage() {
    const response = await post(keep.address, { "X-CSRFToken": keep.token });
    if (!isOurs(response)) throw new Error("you have signed in or out meanwhile. Download the replay, then reload this page.");
    return response.json();
  }

  async function asGuest() {
    const response = await post(share.address, {}, "omit");
    if (response.status === 429) throw new Error("too many plays were shared from your network. Try again later, or sign in.");
    if (!isOurs(response)) throw new Error(`the server answered ${response.status}.`);
    return response.json();
  }

  /** @param {RequestCredentials} credentials */
  const post = async (address, headers, credentials = "same-origin") => fetch(address, {
    method: "POST", credentials, headers: { "Content-Type": "application/gzip", ...headers }, body: await replay(),
  });

  return send;
}

const isOurs = (response) => response.headers.get("Content-Type")?.startsWith("application/json");

async function copied(link, button) {
  await navigator.clipboard.writeText(link);
  button.textContent = "Copied";
}
