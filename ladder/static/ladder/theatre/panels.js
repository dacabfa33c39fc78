// What stands beside the table: the score, and one panel of several below it. On a small screen all
// of it stands below the table, the score a panel like the others.

import { html } from "./dom.js";

const WIDE = "(min-width: 60rem) and (min-height: 30.01rem)";

// `small` is the panel that a small screen begins with.
export function createPanels(panels, small = 0) {
  const names = Object.keys(panels).filter((name) => panels[name]);
  const boxes = names.map((name) => (
    html("div", { class: `panel panel-${name.toLowerCase()}`, id: `panel-${name.toLowerCase()}` }, panels[name])
  ));
  const buttons = names.map((name, at) => html(
    "button",
    { type: "button", class: `tab-${name.toLowerCase()}`, "aria-controls": boxes[at].id, onclick: () => choose(at) },
    name,
  ));

  function choose(chosen) {
    boxes.forEach((box, at) => box.classList.toggle("chosen", at === chosen));
    buttons.forEach((button, at) => button.setAttribute("aria-pressed", String(at === chosen)));
  }

  const wide = matchMedia(WIDE);
  const begin = () => choose(wide.matches ? 1 : small);
  wide.addEventListener("change", begin);
  begin();
  const [score, ...rest] = boxes;
  const tabs = html("div", { class: "tabs", role: "group", "aria-label": "Beside the table" }, buttons);
  return html("div", { class: "side" }, score, tabs, ...rest);
}
