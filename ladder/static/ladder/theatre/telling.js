// The table in words: on demand for everyone, and politely for screen readers.

import { html } from "./dom.js";

const QUIET_MS = 4000; // while the play runs, a screen reader hears at most this often

export function createTelling({ player, teller }) {
  const live = html("div", { class: "visually-hidden", "aria-live": "polite", role: "status" });
  const pre = html("pre", { tabindex: "0", "aria-label": "The table in words" });
  const caption = html("p", { class: "told" });
  const details = html("details", { class: "in-words" }, html("summary", {}, "In words"), caption, pre);
  let spoken = 0;
  let first = true;

  player.listen(() => {
    const { frame } = player;
    const result = player.index === player.last ? teller.result() : "";
    caption.textContent = [teller.whole(frame), result].filter(Boolean).join(" ");
    pre.textContent = frame.text;
    if (frame.beat && player.playing) return; // the whole step was told at its first beat
    if (first || player.unasked) { // what a page shows by itself needs no announcement
      first = false;
      return;
    }
    const now = performance.now();
    if (player.playing && now - spoken < QUIET_MS) return;
    spoken = now;
    live.textContent = [teller.whole(frame), result, frame.text].filter(Boolean).join("\n");
  });
  return [details, live];
}
