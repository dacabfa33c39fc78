// A bar between two columns that can be moved, by pointer and by keys; where it was left is kept in this browser.

import { html } from "../../theatre/dom.js";

const KEPT = "ladle-workshop-split";
const [LEAST, USUAL, MOST] = [25, 45, 75]; // percent of the width, for the first column

export function createDivider(root) {
  const bar = html("div", {
    class: "divider", role: "separator", tabindex: "0", "aria-orientation": "vertical",
    "aria-label": "Width of the editor", "aria-valuemin": LEAST, "aria-valuemax": MOST,
  });
  let share = USUAL;

  function move(to) {
    share = Math.round(Math.min(MOST, Math.max(LEAST, to)));
    root.style.setProperty("--split", `${share}%`);
    bar.setAttribute("aria-valuenow", String(share));
    bar.setAttribute("aria-valuetext", `${share}%`);
  }

  function keep() {
    try { localStorage.setItem(KEPT, String(share)); } catch { /* for this visit, then */ }
  }

  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    event.preventDefault();
    bar.focus();
  });
  bar.addEventListener("pointermove", (event) => {
    if (!bar.hasPointerCapture(event.pointerId)) return;
    const { left, width } = root.getBoundingClientRect();
    move(((event.clientX - left) / width) * 100);
  });
  bar.addEventListener("lostpointercapture", keep);
  bar.addEventListener("dblclick", () => { move(USUAL); keep(); });
  bar.addEventListener("keydown", (event) => {
    const to = { ArrowLeft: share - 5, ArrowRight: share + 5, Home: LEAST, End: MOST, Enter: USUAL }[event.key];
    if (to === undefined || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // the theatre has arrows of its own
    move(to);
    keep();
  });
  let kept = null;
  try { kept = localStorage.getItem(KEPT); } catch { /* nothing is kept here */ }
  move(Number(kept) || USUAL);
  return bar;
}
