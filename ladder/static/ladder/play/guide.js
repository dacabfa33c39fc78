// A guided first play: a note at a person's decisions, until all has been said.

import { html } from "../theatre/dom.js";

/** @param {{notes: Record<string, string[]>, end: string}} script */
export function createGuide({ notes, end }, skip) {
  let asked = []; // the decisions so far, each as [step, kind]
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
    /** What there is to say of a decision of this kind; what came after this step was taken back. */
    ask(kind, step) {
      asked = asked.filter(([at]) => at < step);
      say(notes[kind]?.[asked.filter(([, one]) => one === kind).length]);
      asked.push([step, kind]);
    },
    rest: () => say(""),
    end: () => {
      say(end);
      button.hidden = true;
    },
  };
}
