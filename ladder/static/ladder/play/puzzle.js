// A puzzle: the play page's table with one question, judged by the server.

import { html } from "../theatre/dom.js";
import { Table } from "./table.js";

const root = document.getElementById("theatre");
const setup = JSON.parse(document.getElementById("puzzle-setup").textContent);
const { asked } = setup.opening;
let table = null;
let busy = false;

async function choose(action) {
  if (busy) return;
  busy = true;
  try {
    const response = await fetch(setup.address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-CSRFToken": setup.token },
      body: JSON.stringify({ action }),
    });
    const verdict = await response.json();
    if (!response.ok) throw new Error(verdict.problem ?? `the server answered ${response.status}`);
    show(verdict);
  } catch (error) {
    busy = false;
    table.choices.refuse(`Your answer could not be judged: ${error.message}`);
  }
}

/** The verdict where the question stood, and the best move on the board. */
function show(verdict) {
  const { choices, picking } = table;
  const link = (href, words, more = "") => href && html("a", { class: `button ${more}`, href }, words);
  const heading = html("p", { class: `result ${verdict.is_right ? "good" : "bad"}`, tabindex: "-1" }, verdict.is_right ? "Right!" : "Not the best move.");
  const top = html(
    "div", { class: "verdict" }, heading,
    html("p", {}, verdict.sentence),
    html("p", { class: "quiet small" }, counted(verdict)),
    html(
      "p", { class: "actions" },
      setup.next ? link(setup.next, "Next puzzle", "main") : link(setup.all, "All puzzles", "main"),
      link(verdict.theatre, "Show the play"),
      html("button", { type: "button", class: "button", onclick: () => location.reload() }, "Try again"),
    ),
  );
  choices.hint("", verdict.best);
  picking.hint(verdict.best);
  choices.words.replaceChildren(top);
  for (const button of choices.box.querySelectorAll("button")) button.disabled = true;
  table.say([heading.textContent, verdict.sentence]);
  delete root.dataset.asked;
  root.dataset.over = verdict.is_right ? "right" : "wrong";
  heading.focus({ preventScroll: true });
}

function counted({ is_counted, rating, change }) {
  if (is_counted) return `Your puzzle rating: ${rating} (${change >= 0 ? "+" : "\u2212"}${Math.abs(change)}).`;
  if (setup.sign_in) return html("span", {}, html("a", { href: setup.sign_in }, "Sign in"), " to get a puzzle rating.");
  return "You answered this puzzle before, so this answer does not count.";
}

const board = await import(setup.board);
table = new Table({
  root, board, told: setup.opening, people: [setup.seat], tools: [], rules: setup.rules, choose, pace: { speed: 2 },
});
await table.ask(asked);
// The board is drawn in its size within two frames; until then the tray does not know what a thumb can hit.
const frame = () => new Promise((done) => requestAnimationFrame(done));
await frame();
await frame();
root.dataset.ready = "";
