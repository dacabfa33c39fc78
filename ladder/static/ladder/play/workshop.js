// Write a bot and try it, all in this tab: one play from the inside, sets with a win rate, the gate's
// checks. The bot itself runs in a sandbox, as it may be a stranger's. The text is kept in this browser.

import { decode } from "../theatre/decode.js";
import { html } from "../theatre/dom.js";
import { openHouse } from "../theatre/house.js";
import { createDrafts } from "./drafts.js";
import { createEditor } from "./editor.js";
import { Sandbox } from "./sandbox.js";
import { createSeen } from "./seen.js";
import { Stopped, Tab } from "./tab.js";

const root = document.getElementById("workshop");
const setup = JSON.parse(document.getElementById("workshop-setup").textContent);
const SETS = 20;

/** A trial that ends early: why, with the evidence as its cause. */
class Ended extends Error {}

const stage = /** @type {HTMLElement} */ (root.querySelector(".theatre"));
const told = html("div", { class: "told", role: "status", "aria-live": "polite" });
const bar = html("progress", { max: 1, value: 0, hidden: true, "aria-label": "Progress" });
const board = await import(setup.board);
const drafts = await createDrafts(setup);
const tab = new Tab(() => {});
const seen = createSeen(setup.view);
let sandbox = null;
let running = false;
let isStopped = false;

const select = (label, options, onchange = () => {}) => {
  const choice = html("select", { onchange }, options.map(([value, words]) => html("option", { value }, words)));
  return { choice, label: html("label", {}, `${label} `, choice) };
};
const seats = select("Seats", setup.boards.map((one) => [one.seats, one.words]));
const rival = select("Against", setup.bots.filter((one) => !one.language).map((one) => [one.short, one.name]));
const language = select("Language", setup.languages, () => openEditor());
seats.choice.value = String(setup.boards.find((one) => one.seats > 1).seats);
rival.choice.value = "greedy";
language.choice.value = drafts.language;
const submit = html("a", { class: "button" }, "Submit it");
let editor = null;

/** The editor of the chosen language, with its own draft. */
function openEditor() {
  stop();
  const chosen = language.choice.value;
  const next = createEditor({
    source: drafts.recall(chosen), language: chosen, fields: setup.view.map(({ name }) => name),
    changed: (text) => drafts.keep(chosen, text),
  });
  editor?.host.replaceWith(next.host);
  editor = next;
  sandbox?.close();
  sandbox = new Sandbox({ language: chosen });
  sandbox.prepare().catch(() => {}); // who runs it is told
  submit.href = `${setup.upload}&draft=${encodeURIComponent(drafts.key(chosen))}`;
}

const say = (...words) => told.replaceChildren(...words.map((one) => (typeof one === "string" ? html("p", {}, one) : one)));
const problem = (words) => html("p", { class: "problem" }, words);
const evidence = (detail) => (detail ? html("pre", { tabindex: "0" }, detail) : "");

/** Load the bot as it is written now. */
async function loadBot() {
  const { broken, detail, stopped } = await sandbox.change(editor.source());
  if (isStopped) throw new Ended("Stopped.");
  if (stopped) throw new Ended(`It cannot be loaded: ${stopped}.`);
  if (broken) throw new Ended(`It cannot be loaded: ${broken}.`, { cause: detail });
}

/** Let the engine run a trial; whenever it asks the bot, the sandbox answers. */
async function trial(call, given, within) {
  let now = await tab.ask(call, [given], within);
  while (now.asked) {
    root.dataset.running = "bot";
    const reply = await sandbox.ask(now.asked);
    root.dataset.running = "engine";
    if (isStopped) throw new Ended("Stopped.");
    now = await tab.ask("tryOn", [JSON.stringify(reply)], within);
  }
  return now.done;
}

/** Run one thing at a time. */
async function run(act) {
  if (running) return;
  running = true;
  isStopped = false;
  root.dataset.running = "engine";
  try {
    await Promise.all([tab.ready, loadBot()]);
    await tab.ask("workshop", [JSON.stringify({
      game: setup.game, seats: Number(seats.choice.value), rival: rival.choice.value,
    })]);
    await act();
  } catch (error) {
    if (error instanceof Stopped) tab.restart();
    if (error instanceof Ended) say(problem(error.message), evidence(error.cause));
    else say(problem(isStopped ? "Stopped." : `That did not work: ${error.message}.`));
  }
  bar.hidden = true;
  running = false;
  delete root.dataset.running;
}

const LOOPS = "Is it stuck in an endless loop? On the ladder it has a second for a play and 20 ms more for each decision.";
const hint = (sentence) => (sentence.includes("did not answer for") ? ` ${LOOPS}` : "");

const playOnce = () => run(async () => {
  say("It plays …");
  const played = await trial("tryOnce", Math.floor(Math.random() * 2 ** 32));
  const film = decode(played.film);
  const load = async (viewer) => (viewer === null ? film : decode(played.films[viewer]));
  const player = openHouse(stage, {
    board, film, load, about: null,
    setup: { links: [], faults: played.faults, file: "play.json.gz", inside: { [played.seat]: played.inside } },
  });
  seen.removeAttribute("open");
  const [fault] = played.faults;
  if (fault) player.goToStep(film.frames.find((frame) => frame.entry?.fault)?.step ?? 0);
  else player.go(0);
  /** @type {HTMLElement} */ (stage.querySelector(".tab-inside"))?.click();
  if (!fault) return say("Played one game, no errors. “Inside” shows each decision: what your bot saw, printed and answered.");
  say(problem(`Your bot failed: ${fault.sentence}.${hint(fault.sentence)}`), evidence(fault.detail));
});

const playSets = () => run(async () => {
  bar.hidden = false;
  const first = Math.floor(Math.random() * 2 ** 32);
  const percent = (share) => `${Math.round(share * 100)}%`;
  for (let set = 0; set < SETS; set += 1) {
    const record = await trial("trySet", first + set, 60_000);
    const [mean, low, high] = record.win_rate;
    bar.value = (set + 1) / SETS;
    const faults = Object.entries(record.faults).map(([kind, count]) => `${count} × ${kind}`).join(", ");
    say(
      `After ${record.sets} of ${SETS} sets it wins ${percent(mean)} (95% interval: ${percent(low)} to ${percent(high)}); an equal bot would win ${percent(record.even)}.`,
      faults ? problem(`Faults: ${faults}.`) : "",
    );
    if (record.faults.timeout) return told.append(problem(`It was stopped. ${LOOPS}`));
  }
});

const check = () => run(async () => {
  const lines = [];
  for (const one of setup.boards) {
    const { problem: sentence } = await trial("check", one.seats, 30_000);
    lines.push(html("li", { class: sentence ? "problem" : "" }, `${one.words}: ${sentence || "no fault"}`));
    say(html("ul", {}, lines));
    if (hint(sentence)) break;
  }
  const sound = lines.every((line) => !line.className);
  say(html("ul", {}, lines), sound ? "Ready to submit. The server also checks time and memory." : "Not ready: the server would reject it.");
});

function stop() {
  isStopped = true;
  if (running) sandbox.stop("you stopped it", "timeout");
}

function startAgain() {
  if (confirm("Throw your text away and begin with the starter again?")) editor.replace(drafts.starter(language.choice.value));
}

openEditor();
const button = (label, does, more = "") => html("button", { type: "button", class: `button ${more}`, onclick: does }, label);
root.replaceChildren(
  html(
    "section", { class: "writing", "aria-label": "Your bot" },
    setup.fork && html("p", { class: "quiet small" }, `You start from ${setup.fork.label}. What you change is yours, and kept apart from your other drafts.`),
    editor.host,
    html("p", { class: "actions choices-of-table" }, language.label, seats.label, rival.label),
    html(
      "p", { class: "actions" },
      button("Run one play", playOnce, "main"), button(`Run ${SETS} sets`, playSets), button("Check it", check), button("Stop", stop, "slight stop"),
    ),
    bar, told,
    html(
      "p", { class: "actions" },
      submit, button("Start again", startAgain, "slight"),
      html("a", { href: `${setup.rules}`, target: "_blank" }, "The rules (in a new tab)"),
    ),
    html("p", { class: "quiet small" }, "Your code is saved in this browser and runs only in this tab, with no access to the network. Its time and memory are not limited as on the ladder; it is stopped when it does not answer for 10 seconds."),
  ),
  html("div", { class: "beside" }, stage, seen),
);
root.dataset.ready = "";
