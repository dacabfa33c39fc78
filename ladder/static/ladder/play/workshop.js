// Write a bot and try it, all in this tab: one play from the inside, sets with a win rate, the gate's
// checks. Bots themselves run in sandboxes, as they may be a stranger's.

import { decode } from "../theatre/decode.js";
import { html } from "../theatre/dom.js";
import { openHouse } from "../theatre/house.js";
import { createDivider } from "./workshop/divider.js";
import { createDrafts } from "./workshop/drafts.js";
import { createEditor } from "./workshop/editor.js";
import { placeOf } from "./workshop/faulty.js";
import { createFiles } from "./workshop/files.js";
import { createRivals } from "./workshop/rivals.js";
import { createPosition } from "./workshop/position.js";
import { createRuns } from "./workshop/runs.js";
import { Sandbox } from "./sandbox.js";
import { createSaving } from "./workshop/saving.js";
import { createSeen } from "./workshop/seen.js";
import { Stopped, Tab } from "./tab.js";

const root = document.getElementById("workshop");
const setup = JSON.parse(document.getElementById("workshop-setup").textContent);
const SETS = 20;
const MOST_SEED = 2 ** 32;

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
const rivals = createRivals({ bots: setup.bots, houseSource: (short) => tab.ask("source", [setup.game, short]) });
const language = select("Language", setup.languages, () => openEditor());
const seed = html("input", { type: "number", min: 0, max: MOST_SEED - 1, step: 1, placeholder: "random", inputmode: "numeric" });
seats.choice.value = String(setup.boards.find((one) => one.seats > 1).seats);
language.choice.value = drafts.language;
const submit = html("a", { class: "button" }, "Submit it");
const place = html("div", { class: "text" });
let editor = null;
let opened = 0; // how many editors were: what belongs to an earlier one comes too late

const position = createPosition(setup.from);
const runs = createRuns({ open: showRun, repeat: (number) => { seed.value = String(number); } });
const saving = createSaving({
  drafts, account: setup.account, signIn: setup.sign_in, language: () => language.choice.value, files: () => editor.files(), reopen: () => openEditor(),
});

/** The editor of the chosen language, with its own draft. */
async function openEditor() {
  stop();
  opened += 1;
  const mine = opened;
  const chosen = language.choice.value;
  await saving.settle();
  const { files, isUnsaved } = await drafts.recall(chosen).catch((error) => {
    say(problem(`Your saved draft could not be loaded: ${error.message}`));
    return { files: drafts.starter(chosen), isUnsaved: false };
  });
  if (mine !== opened) return;
  const main = `bot.${chosen}`;
  const next = createEditor({ main, runners: setup.runners, fields: setup.view.map(({ name }) => name), changed: () => { if (editor === next) saving.changed(); } });
  next.replace(files);
  editor = next;
  const list = createFiles({ main, most: setup.most_files, editor });
  list.draw();
  editor.redraw = list.draw;
  place.replaceChildren(list.host, editor.host);
  saving.opened(isUnsaved);
  sandbox?.close();
  sandbox = new Sandbox({ language: chosen, runner: setup.runners[chosen] });
  sandbox.prepare().catch(() => {}); // who runs it is told
  submit.href = `${setup.upload}&draft=${encodeURIComponent(drafts.key(chosen))}`;
}

const say = (...words) => told.replaceChildren(...words.map((one) => (typeof one === "string" ? html("p", {}, one) : one)));
const problem = (words) => html("p", { class: "problem" }, words);
const evidence = (detail) => (detail ? html("pre", { tabindex: "0" }, detail) : "");

/** Mark the line at which the bot failed, if it is known. */
function markFault(words, detail) {
  const at = placeOf(`${detail ?? ""}\n${words}`, Object.keys(editor.files()));
  if (!at) return;
  const reason = detail?.trim().split("\n").at(-1) || words.replace(/^.*?, line \d+: /, "");
  editor.mark(at, reason);
  editor.redraw();
}

/** Load the bot as it is written now. */
async function loadBot() {
  editor.unmark();
  const { [`bot.${language.choice.value}`]: main, ...beside } = editor.files();
  const { broken, detail, stopped } = await sandbox.change(main, beside);
  if (isStopped) throw new Ended("Stopped.");
  if (stopped) throw new Ended(`It cannot be loaded: ${stopped}.`);
  if (broken) throw new Ended(`It cannot be loaded: ${broken}.${without(broken)}`, { cause: detail });
}

/** Let the engine run a trial; whenever it asks a bot, the bot's sandbox answers. */
async function trial(call, given, within) {
  let now = await tab.ask(call, [given], within);
  while (now.asked) {
    root.dataset.running = "bot";
    const reply = await (now.is_rival ? rivals : sandbox).ask(now.asked);
    root.dataset.running = "engine";
    if (isStopped) throw new Ended("Stopped.");
    now = await tab.ask("tryOn", [JSON.stringify(reply)], within);
  }
  return now.done;
}

/** Run one thing at a time. */
async function run(act, from = null) {
  if (running || !editor) return;
  running = true;
  isStopped = false;
  root.dataset.running = "engine";
  try {
    await Promise.all([tab.ready, loadBot()]);
    const against = await rivals.prepare().catch((error) => { throw new Ended(`${error.message}.`); });
    const table = { game: setup.game, seats: Number(seats.choice.value), ...against, ...from?.at };
    await tab.ask("workshop", [JSON.stringify(table), ...(from ? [await from.file()] : [])]);
    await act();
  } catch (error) {
    if (error instanceof Stopped) tab.restart();
    if (error instanceof Ended) {
      say(problem(error.message), evidence(error.cause));
      markFault(error.message, /** @type {string} */ (error.cause));
    } else say(problem(isStopped ? "Stopped." : `That did not work: ${error.message}.`));
  }
  bar.hidden = true;
  running = false;
  delete root.dataset.running;
}

const LOOPS = "Is it stuck in an endless loop? On the ladder it has a second for a play and 20 ms more for each decision.";
const hint = (sentence) => (sentence.includes("did not answer for") ? ` ${LOOPS}` : "");
const without = (sentence) => (/No module named 'numpy/.test(sentence) ? " numpy is not available in a browser, but it is on the ladder. Try this bot in a terminal with “ladle play”." : "");
const chosenSeed = () => (seed.value !== "" && seed.checkValidity() ? seed.valueAsNumber : Math.floor(Math.random() * MOST_SEED));

/** A play of this visit, in the theatre beside the editor. */
function showRun({ played }) {
  const film = decode(played.film);
  const load = async (viewer) => (viewer === null ? film : decode(played.films[viewer]));
  const player = openHouse(stage, {
    board, film, load, about: null,
    setup: { links: [], faults: played.faults, file: "play.json.gz", inside: { [played.seat]: played.inside } },
  });
  seen.removeAttribute("open");
  if (played.faults.length) player.goToStep(film.frames.find((frame) => frame.entry?.fault)?.step ?? 0);
  else if (played.from) player.goToStep(played.from);
  else player.go(0);
  /** @type {HTMLElement} */ (stage.querySelector(".tab-inside"))?.click();
}

const playOnce = () => run(async () => {
  say("It plays …");
  const number = chosenSeed();
  const played = await trial("tryOnce", number);
  runs.add({ played, seed: number, seats: Number(seats.choice.value), rival: rivals.name() });
  const [fault] = played.faults;
  if (fault) {
    say(problem(`Your bot failed: ${fault.sentence}.${hint(fault.sentence)}${without(fault.sentence)}`), evidence(fault.detail));
    return markFault("", fault.detail);
  }
  if (played.rival_fault) return say(`Played one game. ${rivals.name()} failed: ${played.rival_fault}.`);
  say("Played one game, no errors. “Inside” shows each decision: what your bot saw, printed and answered.");
}, position.chosen());

const playSets = () => run(async () => {
  bar.hidden = false;
  const first = chosenSeed();
  const percent = (share) => `${Math.round(share * 100)}%`;
  for (let set = 0; set < SETS; set += 1) {
    const record = await trial("trySet", (first + set) % MOST_SEED, 60_000);
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
    const { problem: sentence, detail } = await trial("check", one.seats, 30_000);
    lines.push(html("li", { class: sentence ? "problem" : "" }, `${one.words}: ${sentence || "no fault"}`));
    say(html("ul", {}, lines));
    if (sentence) markFault(sentence, detail);
    if (hint(sentence)) break;
  }
  const sound = lines.every((line) => !line.className);
  say(html("ul", {}, lines), sound ? "Ready to submit. The server also checks time and memory." : "Not ready: the server would reject it.");
});

function stop() {
  isStopped = true;
  if (!running) return;
  sandbox.stop("you stopped it", "timeout");
  rivals.stop();
}

function startAgain() {
  if (!confirm("Discard your code and start again from the starter bot?")) return;
  editor.replace(drafts.starter(language.choice.value));
  editor.redraw();
  saving.changed();
}

// Caught before the editor, which would add a line, and the browser, which would save the page.
root.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
  const act = { Enter: playOnce, s: () => saving.save() }[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}, { capture: true });

await openEditor();
const button = (label, does, more = "", keys = null) => html("button", { type: "button", class: `button ${more}`, onclick: does, title: keys, "aria-keyshortcuts": keys?.replace("Ctrl", "Control") }, label);
root.replaceChildren(
  html(
    "section", { class: "writing", "aria-label": "Your bot" },
    position.box,
    setup.fork && html("p", { class: "quiet small" }, `You start from ${setup.fork.label}. Your changes are saved separately from your other drafts.`),
    html("p", { class: "actions choices-of-table" }, language.label, seats.label, rivals.label, html("label", {}, "Seed ", seed)),
    place,
    html(
      "p", { class: "actions" },
      button("Run one play", playOnce, "main", "Ctrl+Enter"), button(`Run ${SETS} sets`, playSets), button("Check it", check), button("Stop", stop, "slight stop"),
    ),
    bar, told,
    html(
      "p", { class: "actions" },
      submit, button("Save draft", () => saving.save(), "slight", "Ctrl+S"), button("Share", () => saving.share(), "slight"), button("Start again", startAgain, "slight"),
      html("a", { href: `${setup.rules}`, target: "_blank" }, "The rules (in a new tab)"),
    ),
    saving.link, html("p", {}, saving.state),
    html(
      "details", { class: "quiet small" }, html("summary", {}, "What runs where"),
      html("p", {}, "Your code runs only in this tab, with no access to the network. Its time and memory are not limited as on the ladder; it is stopped when it does not answer for 10 seconds. numpy is not available here."),
      html("p", {}, "Opponents are single scripts in Python or JavaScript: house bots, your own versions, and bots whose source is public. Bundles, WebAssembly and remote bots, and bots whose source is private, cannot run in a tab: challenge them instead."),
    ),
  ),
  createDivider(root),
  html("div", { class: "beside" }, runs.host, stage, seen),
);
root.dataset.ready = "";
