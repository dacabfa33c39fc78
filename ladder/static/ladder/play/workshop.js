// Write a bot and try it, all in this tab: one play from the inside, sets with a win rate, the gate's
// checks. The text is kept in this browser.

import { decode } from "../theatre/decode.js";
import { html } from "../theatre/dom.js";
import { openHouse } from "../theatre/house.js";
import { createEditor } from "./editor.js";
import { Stopped, Tab } from "./tab.js";

const root = document.getElementById("workshop");
const setup = JSON.parse(document.getElementById("workshop-setup").textContent);
const STORED = `ladle-draft-${setup.game}`;
const SETS = 20;

// Some browsers keep nothing for a page; then the text lasts as long as the visit.
const draft = {
  recall() { try { return localStorage.getItem(STORED); } catch { return null; } },
  keep(text) { try { localStorage.setItem(STORED, text); } catch { /* for this visit, then */ } },
};

const stage = /** @type {HTMLElement} */ (root.querySelector(".theatre"));
const told = html("div", { class: "told", role: "status", "aria-live": "polite" });
const bar = html("progress", { max: 1, value: 0, hidden: true, "aria-label": "Progress" });
const board = await import(setup.board);
const tab = new Tab(() => {});
const editor = createEditor({ source: draft.recall() ?? setup.starter, fields: setup.fields, changed: draft.keep });
let running = false;
let stopped = false;

const select = (label, options) => {
  const choice = html("select", {}, options.map(([value, words]) => html("option", { value }, words)));
  return { choice, label: html("label", {}, `${label} `, choice) };
};
const seats = select("Seats", setup.boards.map((one) => [one.seats, one.words]));
const rival = select("Against", setup.bots.map((one) => [one.short, one.name]));
seats.choice.value = String(setup.boards.find((one) => one.seats > 1).seats);
rival.choice.value = "greedy";

const say = (...words) => told.replaceChildren(...words.map((one) => (typeof one === "string" ? html("p", {}, one) : one)));
const broken = ({ broken: sentence, detail }) => say(
  html("p", { class: "problem" }, `It cannot be loaded: ${sentence}.`), detail ? html("pre", { tabindex: "0" }, detail) : "",
);

/** Run one thing at a time; what does not answer is stopped, and the tab lives on. */
async function run(act) {
  if (running) return;
  running = true;
  stopped = false;
  root.dataset.running = "";
  try {
    await tab.ready;
    await tab.ask("workshop", [JSON.stringify({
      game: setup.game, seats: Number(seats.choice.value), rival: rival.choice.value, source: editor.source(),
    })]);
    await act();
  } catch (error) {
    if (!(error instanceof Stopped)) say(html("p", { class: "problem" }, `That did not work: ${error.message}.`));
    else {
      say(html("p", { class: "problem" }, stopped ? "Stopped."
        : `Your bot was stopped: ${error.message}. Does it loop for ever? On the ladder it has a second for a play and 20 ms more for each decision.`));
      tab.restart();
    }
  }
  bar.hidden = true;
  running = false;
  delete root.dataset.running;
}

const playOnce = () => run(async () => {
  say("It plays …");
  const found = await tab.ask("tryOnce", [Math.floor(Math.random() * 2 ** 32)]);
  if (found.broken) return broken(found);
  const film = decode(found.film);
  const load = async (viewer) => (viewer === null ? film : decode(found.films[viewer]));
  const player = openHouse(stage, {
    board, film, load, about: null,
    setup: { links: [], faults: found.faults, file: "play.json.gz", inside: { [found.seat]: found.inside } },
  });
  const [fault] = found.faults;
  if (fault) player.goToStep(film.frames.find((frame) => frame.entry?.fault)?.step ?? 0);
  else player.go(0);
  /** @type {HTMLElement} */ (stage.querySelector(".tab-inside"))?.click();
  say(fault ? html("p", { class: "problem" }, `It was at fault: ${fault.sentence}.`) : "One play, without a fault. “Inside” shows each decision: what your bot saw, printed and answered.",
    fault?.detail ? html("pre", { tabindex: "0" }, fault.detail) : "");
});

const playSets = () => run(async () => {
  bar.hidden = false;
  const first = Math.floor(Math.random() * 2 ** 32);
  const percent = (share) => `${Math.round(share * 100)} %`;
  for (let set = 0; set < SETS; set += 1) {
    const found = await tab.ask("trySet", [first + set], 60_000);
    if (found.broken) return broken(found);
    const [mean, low, high] = found.win_rate;
    bar.value = (set + 1) / SETS;
    const faults = Object.entries(found.faults).map(([kind, count]) => `${count} × ${kind}`).join(", ");
    say(
      `After ${found.sets} of ${SETS} sets it wins ${percent(mean)} (95 % interval: ${percent(low)} to ${percent(high)}); an equal bot would win ${percent(found.even)}.`,
      faults ? html("p", { class: "problem" }, `Faults: ${faults}.`) : "",
    );
  }
});

const check = () => run(async () => {
  const lines = [];
  for (const one of setup.boards) {
    const found = await tab.ask("check", [one.seats], 30_000);
    if (found.broken) return broken(found);
    lines.push(html("li", { class: found.problem ? "problem" : "" }, `${one.words}: ${found.problem || "no fault"}`));
    say(html("ul", {}, lines));
  }
  const sound = lines.every((line) => !line.className);
  say(html("ul", {}, lines), sound ? "It would pass the gate, which checks its time and memory too." : "The gate would refuse it.");
});

function stop() {
  stopped = true;
  if (running) tab.stop("you stopped it");
}

function startAgain() {
  if (confirm("Throw your text away and begin with the starter again?")) editor.replace(setup.starter);
}

const button = (label, does, more = "") => html("button", { type: "button", class: `button ${more}`, onclick: does }, label);
root.replaceChildren(
  html(
    "section", { class: "writing", "aria-label": "Your bot" },
    editor.host,
    html("p", { class: "actions choices-of-table" }, seats.label, rival.label),
    html(
      "p", { class: "actions" },
      button("Run one play", playOnce, "main"), button(`Run ${SETS} sets`, playSets), button("Check it", check), button("Stop", stop, "slight stop"),
    ),
    bar, told,
    html(
      "p", { class: "actions" },
      html("a", { class: "button", href: setup.upload }, "Submit it"), button("Start again", startAgain, "slight"),
      html("a", { href: `${setup.rules}`, target: "_blank" }, "What a bot sees (the rules, in a new tab)"),
    ),
    html("p", { class: "quiet small" }, "Your text is kept in this browser. It runs in this tab only, without limits of time or memory."),
  ),
  stage,
);
root.dataset.ready = "";
