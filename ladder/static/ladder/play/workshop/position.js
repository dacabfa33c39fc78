// A position of a replay in which the bot is tried: one play goes on from there.

import { html } from "../../theatre/dom.js";

/** @param {{replay: string, page: string, step: number, seat: number} | null} from */
export function createPosition(from) {
  if (!from) return { box: null, chosen: () => null };
  const use = html("input", { type: "checkbox", checked: true });
  let bytes = null;
  async function file() {
    if (!bytes) {
      const response = await fetch(from.replay);
      if (!response.ok) throw new Error(`the replay cannot be loaded: the server answered ${response.status}`);
      bytes = new Uint8Array(await response.arrayBuffer());
    }
    return bytes;
  }
  const words = html("label", {}, use, ` “Run one play” starts at step ${from.step} of `);
  return {
    box: html("p", { class: "from-position small" }, words, html("a", { href: `${from.page}#step=${from.step}` }, "this replay"), `, with your bot at seat ${from.seat + 1}.`),
    chosen: () => (/** @type {HTMLInputElement} */ (use).checked ? { at: { step: from.step, seat: from.seat }, file } : null),
  };
}
