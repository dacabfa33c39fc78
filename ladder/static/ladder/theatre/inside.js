// A decision from the inside, for the bot's author: what it was asked, what it saw, what it printed.

import { html } from "./dom.js";
import { tree } from "./tree.js";
import { cpuTime } from "./words.js";

const MOST_MOVES = 60; // a menu of throws has hundreds

export function createInside({ player, film, addresses }) {
  const seats = Object.keys(addresses ?? {}).map(Number);
  if (!seats.length) return null;
  const known = {}; // by seat, what the server told
  const box = html("div", { class: "decision" });
  const choice = html(
    "select", { "aria-label": "Whose decisions", onchange: () => show() },
    seats.map((seat) => html("option", { value: seat }, film.names[seat])),
  );
  let shown = null;

  async function load(seat) {
    // What was played in this very tab is there already.
    if (typeof addresses[seat] !== "string") return addresses[seat];
    known[seat] ??= fetch(addresses[seat]).then((response) => {
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      return response.json();
    });
    return known[seat];
  }

  async function show() {
    const seat = Number(choice.value);
    const { step } = player.frame;
    if (!box.offsetParent && shown === null) return; // nobody looks yet
    try {
      const { decisions, loading } = await load(seat);
      if (step !== player.frame.step) return; // it went on meanwhile
      const asked = decisions.findLast((one) => one.step <= step);
      if (asked === shown) return;
      shown = asked;
      box.replaceChildren(...(asked ? drawn(asked, film) : before(loading)));
    } catch (error) {
      box.replaceChildren(html("p", { class: "problem", role: "alert" }, `It could not be loaded: ${error.message}.`));
    }
  }

  player.listen(() => show());
  new ResizeObserver(() => show()).observe(box); // when its panel is chosen
  return [seats.length > 1 ? choice : null, box];
}

function before(loading) {
  return [
    html("p", { class: "quiet" }, "It has not been asked for a move yet."),
    loading ? html("pre", { tabindex: "0", "aria-label": "Printed while loading" }, loading) : null,
  ].filter(Boolean);
}

function drawn(asked, film) {
  const { view } = asked;
  const offered = view.legal ?? view.suggestions ?? [];
  const cpu = cpuTime(asked.cpu_us);
  return [
    html("h3", {}, `Decision ${asked.decision}: ${asked.kind}`),
    html("p", {}, asked.action ? ["It answered ", html("code", {}, asked.action), cpu ? ` in ${cpu} of CPU time.` : "."] : "It did not answer."),
    asked.fault && html("p", { class: "problem" }, asked.fault.sentence),
    asked.fault?.detail && html("pre", { tabindex: "0", "aria-label": "Evidence" }, asked.fault.detail),
    html("h4", {}, "Printed"),
    asked.printed
      ? html("pre", { tabindex: "0", "aria-label": "Printed" }, asked.printed)
      : html("p", { class: "quiet" }, "Nothing."),
    html("h4", {}, view.legal ? `${offered.length} legal moves` : `${offered.length} suggestions of endless moves`),
    html("ul", { class: "offered" }, offered.slice(0, MOST_MOVES).map((text) => (
      html("li", {}, html("code", { class: text === asked.action ? "answered" : null }, text))
    ))),
    offered.length > MOST_MOVES ? html("p", { class: "quiet" }, `and ${offered.length - MOST_MOVES} more`) : null,
    html("h4", {}, "What it saw"),
    tree(view),
    copier(asked, film),
  ].filter(Boolean);
}

function copier(asked, film) {
  const button = html("button", { type: "button", class: "button slight" }, "Copy this view as a test");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(asTest(asked, film));
    button.textContent = "Copied";
  });
  return html("p", {}, button);
}

function asTest({ decision, kind, view, action }, film) {
  const json = JSON.stringify({ ...view, cpu_left_ms: 1000 });
  return `import json

from my_bot import decide  # your file

VIEW = json.loads(${JSON.stringify(json)})


def test_decision_${decision}_a_${kind}_of_${film.game}():
    # It answered ${JSON.stringify(action ?? null)}. What would be better?
    assert decide(VIEW) in VIEW[${JSON.stringify(view.legal ? "legal" : "suggestions")}]
`;
}

/** What remote bots noted with their decisions: their own words, read beside the play. */
export function createNotes({ player, film, address }) {
  if (!address) return null;
  const box = html("div", { class: "decision" });
  let loaded = null;
  let shown = null;

  const load = () => {
    loaded ??= fetch(address).then((response) => {
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      return response.json();
    });
    return loaded;
  };

  async function show() {
    if (!box.offsetParent && shown === null) return; // nobody looks yet
    try {
      const notes = await load();
      const { step } = player.frame;
      const last = Math.max(0, ...Object.keys(notes).map(Number).filter((one) => one <= step));
      if (last === shown) return;
      shown = last;
      box.replaceChildren(...(last ? drawn(last, notes[last]) : [html("p", { class: "quiet" }, "No note so far.")]));
    } catch (error) {
      box.replaceChildren(html("p", { class: "problem", role: "alert" }, `The notes could not be loaded: ${error.message}.`));
    }
  }

  function drawn(step, note) {
    const seat = film.frames.find((frame) => frame.step === step)?.entry?.seat;
    const who = seat === undefined ? "" : `${film.names[seat]}, `;
    return [html("p", { class: "quiet small" }, `${who}step ${step}`), html("pre", { tabindex: "0" }, note)];
  }

  player.listen(() => show());
  new ResizeObserver(() => show()).observe(box); // when its panel is chosen
  return box;
}
