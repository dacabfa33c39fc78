// The moves that the rules allow, in words: a button each.

import { html } from "../theatre/dom.js";

export function createChoices({ choose }) {
  const list = html("ul", { class: "choices-list", "aria-label": "Moves you can make" });
  const said = html("p", { class: "asked" });
  const hint = html("p", { class: "hinted", role: "status" });
  const problem = html("p", { class: "problem", role: "alert" });
  const aim = html("div", { class: "aim" });
  let buttons = new Map();

  return {
    box: html("div", { class: "choices-box" }, aim, list),
    // What is asked and answered in words: beside the list, or below the board of a small screen.
    words: html("div", { class: "asking-words" }, said, problem, hint),

    ask(choices, words, controls = null) {
      said.textContent = words;
      hint.textContent = problem.textContent = "";
      aim.replaceChildren(...(controls ? [controls] : []));
      buttons = new Map(choices.map(({ action, words: told }) => [
        action, html("button", { type: "button", class: "button", onclick: () => choose(action) }, told),
      ]));
      list.replaceChildren(...[...buttons.values()].map((button) => html("li", {}, button)));
    },

    // Only these of them; null means all.
    narrow(actions) {
      for (const [action, button] of buttons) button.parentNode.hidden = Boolean(actions) && !actions.has(action);
    },

    keep: (wanted) => {
      for (const [action, button] of buttons) button.parentNode.hidden = !wanted(action);
    },

    hint(sentence, action) {
      hint.textContent = sentence;
      for (const [one, button] of buttons) button.classList.toggle("main", one === action);
      const hinted = buttons.get(action);
      if (hinted) list.prepend(hinted.parentNode); // in sight, and the board stays where it is
    },

    refuse: (sentence) => { problem.textContent = sentence; },

    rest(words) {
      said.textContent = words;
      problem.textContent = hint.textContent = "";
      buttons = new Map();
      list.replaceChildren();
      aim.replaceChildren();
    },

    /** Whether somebody chooses here by keys: then the next question gets the focus, too. */
    hasKeys: () => [aim, list].some((box) => box.querySelector(":focus-visible")),
    focus: () => (aim.querySelector("input") ?? list.querySelector("li:not([hidden]) button"))?.focus({ preventScroll: true }),
  };
}
