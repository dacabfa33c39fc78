// Keys for everything, and a card that tells them.
//
// Who dictates, or whose other tools listen to letters, can switch the keys of one character off.

import { html } from "./dom.js";
import { next } from "./marks.js";

const KEYS = [
  ["Space", "play or pause"],
  ["← →", "one step back or forward"],
  ["Home End", "to the start, to the end"],
  [", .", "one turn back or forward"],
  ["[ ]", "one round back or forward"],
  ["+ -", "faster, slower"],
  ["M", "next mistake"],
  ["T", "next turning point"],
  ["F", "full screen"],
  ["N P", "next play, previous play of the match"],
  ["?", "these keys"],
];

const STORED = "ladle-letter-keys";

// Some browsers keep nothing for a page, or for a file; then the keys are on at each visit.
export const letterKeys = {
  on: true,
  recall() {
    try { this.on = localStorage.getItem(STORED) !== "off"; } catch { this.on = true; }
  },
  set(on) {
    this.on = on;
    try { localStorage.setItem(STORED, on ? "on" : "off"); } catch { /* for this visit, then */ }
  },
};

export function createKeyCard() {
  letterKeys.recall();
  const choice = html("input", {
    type: "checkbox", checked: letterKeys.on, "aria-describedby": "letter-keys-hint",
    onchange: () => letterKeys.set(choice.checked),
  });
  const card = html(
    "dialog", { class: "key-card", "aria-labelledby": "key-card-title" },
    html("h2", { id: "key-card-title" }, "Keys"),
    html("dl", {}, KEYS.map(([key, what]) => [
      html("dt", {}, key.split(" ").map((one) => html("kbd", {}, one))), html("dd", {}, what),
    ])),
    html("p", {}, html("label", {}, choice, " Letter keys")),
    html(
      "p", { class: "hint", id: "letter-keys-hint" },
      "Without them, only space, the arrows, Home and End act. This browser remembers it.",
    ),
    html("form", { method: "dialog" }, html("button", { class: "button" }, "Close")),
  );
  return card;
}

export function listenToKeys({ player, marks, faster, fullScreen, plays, card }) {
  const go = (address) => address && location.assign(address);
  const acts = {
    " ": () => player.toggle(),
    ArrowLeft: () => player.jump(player.index - 1),
    ArrowRight: () => player.jump(player.index + 1),
    "+": () => faster(1),
    "-": () => faster(-1),
    Home: () => player.jump(0),
    End: () => player.jump(player.last),
    m: () => marks.mistakes.length && player.jumpToStep(next(marks.mistakes, player.frame.step)),
    t: () => marks.turns.length && player.jumpToStep(next(marks.turns, player.frame.step)),
    ",": () => player.jump(player.turnAt(-1)),
    ".": () => player.jump(player.turnAt(1)),
    "[": () => player.jump(player.roundAt(-1)),
    "]": () => player.jump(player.roundAt(1)),
    f: fullScreen,
    n: () => go(plays.next),
    p: () => go(plays.previous),
    "?": () => card.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    if (!card.isConnected) return; // the house was left
    if (event.ctrlKey || event.metaKey || event.altKey || card.open || takesKey(event)) return;
    const isCharacter = event.key.length === 1 && event.key !== " ";
    if (isCharacter && !letterKeys.on) return;
    const act = acts[isCharacter ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

// A focused field, list or button keeps the keys it knows itself.
export function takesKey(event) {
  const { key } = event;
  const target = event.composedPath()[0]; // an editor keeps its fields to itself
  if (!(target instanceof Element)) return false;
  const letter = key.length === 1 && key !== " ";
  if (target.closest("input:not([type=range]), textarea, select, [contenteditable]")) return true;
  if (letter) return false;
  if (target.closest("input[type=range]")) return key !== " ";
  if (target.closest("button, a, summary")) return key === " ";
  return Boolean(target.closest("pre")); // it scrolls
}
