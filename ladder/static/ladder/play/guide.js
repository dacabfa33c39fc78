// A guided first play: a note at a person's decisions, until all has been said.

import { html } from "../theatre/dom.js";

/** @param {{notes: Record<string, string[]>, end: string}} script */
export function createGuide({ notes, end }, skip) {
  const said = new Map(); // by kind of decision, how many of its notes
  const words = html("p", { class: "guide-note", role: "status" });
  const button = html("button", { type: "button", class: "button slight", onclick: skip }, "Skip the guide");
  const box = html("aside", { class: "guide", "aria-label": "Guide" }, words, button);
  box.hidden = true;

  function say(note) {
    words.textContent = note ?? "";
    box.hidden = !note;
  }

  return {
    box,
    /** What there is to say of a decision of this kind. */
    ask(kind) {
      const count = said.get(kind) ?? 0;
      said.set(kind, count + 1);
      say(notes[kind]?.[count]);
    },
    rest: () => say(""),
    end: () => {
      say(end);
      button.hidden = true;
    },
  };
}
