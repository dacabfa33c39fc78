// What stands beside the table; on a small screen below it, one panel at a time.

import { html } from "./dom.js";

export function createPanels(panels) {
  const names = Object.keys(panels);
  const boxes = names.map((name) => (
    html("div", { class: `panel panel-${name.toLowerCase()}`, id: `panel-${name.toLowerCase()}` }, panels[name])
  ));
  const buttons = names.map((name, at) => html(
    "button", { type: "button", "aria-controls": boxes[at].id, onclick: () => choose(at) }, name,
  ));

  function choose(chosen) {
    boxes.forEach((box, at) => box.classList.toggle("chosen", at === chosen));
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === chosen)));
  }

  choose(0);
  return [html("div", { class: "tabs", role: "group", "aria-label": "Below the table" }, buttons), ...boxes];
}
