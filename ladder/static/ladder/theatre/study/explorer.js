// What the top ten of the board do in this kind of position, asked for by a click.

import { html } from "../dom.js";

const percent = (share) => `${Math.round(share * 100)}%`;

export function createExplorer({ player, address }) {
  const box = html("div", { class: "explored", role: "status" });
  let asked = null; // the step that is shown

  async function show() {
    const { step } = player.frame;
    asked = step;
    box.replaceChildren(html("p", { class: "quiet" }, "Looking …"));
    try {
      const response = await fetch(`${address}?step=${step}`);
      const told = await response.json();
      if (!response.ok) throw new Error(told.problem ?? `the server answered ${response.status}`);
      if (asked === step) box.replaceChildren(...table(told));
    } catch (error) {
      box.replaceChildren(html("p", { class: "problem" }, `The explorer could not answer: ${error.message}`));
    }
  }

  player.listen(() => {
    if (asked === null || asked === player.frame.step) return;
    asked = null;
    box.replaceChildren();
  });
  return html(
    "section", { class: "explorer", "aria-label": "Explorer" },
    html("p", { class: "actions" }, html("button", { type: "button", class: "button", onclick: show }, "Show what the top ten do here")), box,
  );
}

function table({ kind, answers, bots, plays }) {
  const heading = html("p", {}, html("strong", {}, kind));
  if (!answers.length) return [heading, html("p", { class: "quiet" }, `There are no answers for this kind of position yet (${plays} plays of ${bots} bots).`)];
  const head = ["Answer", "Share", "Beaten"].map((name, at) => html("th", { scope: "col", class: at ? "number" : "" }, name));
  const rows = answers.map((one) => html(
    "tr", { class: one.is_played ? "played" : "" },
    html("th", { scope: "row" }, one.answer, " ", one.is_played ? html("span", { class: "badge" }, "played here") : null),
    html("td", { class: "number", title: `${one.times} times, by ${one.bots} of ${bots} bots` }, percent(one.share)),
    html("td", { class: "number" }, percent(one.result)),
  ));
  return [
    heading,
    html("table", {}, html("thead", {}, html("tr", {}, head)), html("tbody", {}, rows)),
    html("p", { class: "quiet small" }, `From ${plays} ladder plays of ${bots} of the board's top ten. “Beaten”: mean share of opponents beaten in plays with this answer, which does not mean that the answer is the cause.`),
  ];
}
