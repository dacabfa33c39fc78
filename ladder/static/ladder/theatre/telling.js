// The table in words: on demand for everyone, and politely for screen readers.

import { html } from "./dom.js";

const QUIET_MS = 4000; // while the play runs, a screen reader hears at most this often

export function createTelling({ player, teller }) {
  const live = html("div", { class: "visually-hidden", "aria-live": "polite", role: "status" });
  const pre = html("pre", { tabindex: "0", "aria-label": "The table in words" });
  const details = html("details", { class: "in-words" }, html("summary", {}, "In words"), pre);
  let spoken = 0;
  let first = true;

  player.listen(() => {
    const { frame } = player;
    pre.textContent = frame.text;
    if (first) { // what a page shows at first needs no announcement
      first = false;
      return;
    }
    const now = performance.now();
    if (player.playing && now - spoken < QUIET_MS) return;
    spoken = now;
    const result = player.index === player.last ? teller.result() : "";
    live.textContent = [teller.caption(frame), result, frame.text].filter(Boolean).join("\n");
  });
  return [details, live];
}
