// The bar below the board on a small screen: what is to be decided, and buttons for all that cannot be
// touched on the board itself. A wide screen has the list of moves beside the board instead.

import { html } from "../theatre/dom.js";

export function createTray() {
  const buttons = html("div", { class: "tray-buttons", role: "group", "aria-label": "Choose" });
  const own = html("div", { class: "tray-own" }); // what a board brings itself
  let shown = "";
  return {
    box: html("div", { class: "tray" }, own, buttons),

    /** @param {{buttons: {touch: string, words: string, hinted: boolean, act: () => void}[], back: (() => void) | null}} given */
    show({ buttons: wanted, back }) {
      const now = JSON.stringify([wanted, Boolean(back)]);
      if (now === shown) return; // no button goes from under a thumb
      shown = now;
      const made = wanted.map(({ words, hinted, act }) => (
        html("button", { type: "button", class: `button${hinted ? " main" : ""}`, onclick: act }, words)
      ));
      if (back) made.push(html("button", { type: "button", class: "button slight", onclick: back }, "Back"));
      buttons.replaceChildren(...made);
    },

    bring: (node) => own.replaceChildren(...(node ? [node] : [])),
  };
}
