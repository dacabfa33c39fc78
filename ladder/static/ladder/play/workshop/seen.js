// What a bot sees, explained: every field of a view with its meaning, and what it is at the first turn.

import { html } from "../../theatre/dom.js";
import { tree } from "../../theatre/tree.js";

/** Words in which code stands between backticks. */
const marked = (words) => words.split("`").map((one, at) => (at % 2 ? html("code", {}, one) : one));

const explained = ({ name, kind, words }) => [
  html("dt", {}, html("code", {}, name), " ", html("span", { class: "quiet small" }, kind)),
  html("dd", {}, marked(words)),
];

export function createSeen(view) {
  return html(
    "details", { class: "seen", open: true },
    html("summary", {}, "What a bot sees"),
    html("p", {}, html("code", {}, "decide(view)"), " is called at each turn, and answers with one of the moves it is offered. These are the fields of ",
      html("code", {}, "view"), " in a play with two seats."),
    html("dl", {}, view.map((field) => [
      explained(field),
      "value" in field ? html("dd", { class: "value" }, tree({ "at the first turn": field.value })) : null,
      field.parts.length ? html("dd", {}, html("dl", {}, field.parts.map(explained))) : null,
    ])),
  );
}
