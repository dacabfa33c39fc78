// Play against bots: the engine in a worker, the theatre's board as the table.

import { html } from "../theatre/dom.js";
import { letterKeys, takesKey } from "../theatre/keyboard.js";
import { Study, watchAgain } from "./end/again.js";
import { createEnding } from "./end/ending.js";
import { count, outcome, words as recordWords } from "./end/record.js";
import { createDaily } from "./daily.js";
import { createGuide } from "./guide.js";
import { Sandbox } from "./sandbox.js";
import { createSeating } from "./seating.js";
import { keepForOffline } from "./offline.js";
import { FILES, Stopped, Tab } from "./tab.js";
import { Table } from "./table.js";

const root = document.getElementById("theatre");
const setup = JSON.parse(document.getElementById("play-setup").textContent);
const bar = html("progress", { max: 1, value: 0, "aria-label": "Loading the game" });
const loading = html("p", { class: "loading" }, "Loading the game (5 MB, first visit only) … ", bar);
const pace = { speed: 2 };

let tab = null;
let board = null;
let table = null;
let seats = []; // who sits where
let seed = 0;
let given = []; // every answer of this play: with the seed, all that it takes to set it up again
let results = []; // of the plays on this deal
let busy = false;
let asking = 0; // the seat that is asked
let guide = null; // for a first play
let ending = null;
let daily = setup.daily ? createDaily(setup) : null; // until another deal is chosen
let origin = null; // the file of a replay to play on from, at setup.from.step
const sandboxes = new Map(); // of the bots that play in one, by the bot

// A link may name the deal.
const linked = /^\d{1,15}$/.exec(new URLSearchParams(location.search).get("seed") ?? "");
const aSeed = () => crypto.getRandomValues(new Uint32Array(1))[0];

async function ask(call, ...rest) {
  try {
    return await tab.ask(call, rest);
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    // Python died or thinks for ever. Nothing is lost: a new one gets the answers given so far.
    tab.restart();
    await tab.ask("begin", beginning());
    return tab.ask(call, rest);
  }
}

/** All that it takes to set up this play as far as it has come. */
const beginning = () => [JSON.stringify({ game: setup.game, seed, seats, given, step: setup.from?.step }), origin];

/** Begin a play, or set one up again as far as its answers go. */
async function begin(answers) {
  given = answers;
  ending = null;
  delete root.dataset.over;
  const told = await ask("begin", ...beginning());
  const people = seats.flatMap((one, seat) => (one.bot ? [] : [seat]));
  table = new Table({
    root, board, told, people, rules: setup.rules, choose, pace, guide, tools: tools(people.length > 0),
  });
  await go(told);
}

/** Remember an answer of this play. */
function note(answer) {
  given.push(answer);
  daily?.save(given);
}

/** Let the bots play until a person is asked, or all is over. */
async function go(told) {
  const now = table;
  let asked = told.asked;
  while (asked?.bot) {
    asking = asked.seat;
    // Who is asked can depend on secret cards.
    now.rest(asked.private ? "The other players are deciding …" : `${now.film.names[asked.seat]} thinks …`);
    const next = await (asked.message ? askGuest(asked) : ask("move"));
    if (table !== now) return; // another play was begun meanwhile
    note({ ...next.given, seat: asking });
    await now.show(next);
    if (table !== now) return;
    asked = next.asked;
    told = next;
  }
  busy = false;
  if (!asked) return finish(told);
  asking = asked.seat;
  await now.ask(asked);
}

/** A bot that nobody trusts decides, or is stopped; the engine judges what comes of it. */
async function askGuest({ seat, message }) {
  const reply = await sandboxes.get(seats[seat].bot).ask(message);
  return ask("take", JSON.stringify(reply));
}

/** Load every bot that plays in a sandbox. */
async function openSandboxes() {
  const guests = setup.bots.filter((bot) => bot.language && seats.some((one) => one.bot === bot.short));
  for (const [short, sandbox] of sandboxes) if (!guests.some((bot) => bot.short === short)) sandbox.close();
  await Promise.all(guests.map(async ({ short, language, runner, source }) => {
    if (!sandboxes.has(short)) {
      sandboxes.set(short, new Sandbox({ language, runner, source: await (source ? textOf(source) : tab.ask("source", [setup.game, short])) }));
    }
    await sandboxes.get(short).open();
  }));
}

async function bytesOf(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the replay cannot be loaded: the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function textOf(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the bot's source cannot be loaded: the server answered ${response.status}`);
  return response.text();
}

async function choose(action) {
  if (busy || !table) return;
  busy = true;
  const now = table;
  const told = await guarded(() => ask("answer", action));
  if (!told || table !== now) return;
  if (told.refused) {
    busy = false;
    now.choices.refuse(`The rules do not allow it: ${told.refused}.`);
    now.aim?.begin();
    return;
  }
  note({ ...told.given, seat: asking });
  now.rest("");
  await guarded(async () => {
    await now.show(told);
    if (table === now) await go(told);
  });
}

/** What cannot be helped is told in a sentence, with the way that always works. */
async function guarded(act) {
  try {
    return await act();
  } catch (error) {
    sorry(error);
    return null;
  }
}

function sorry(error) {
  root.replaceChildren(
    html("div", { class: "notice error", role: "alert" },
      html("p", {}, `The game could not run in this tab: ${error.message}.`),
      html("p", {}, "It runs in a terminal too: ", html("code", {}, `ladle play ${setup.game} greedy greedy`), ", and ",
        html("a", { href: setup.docs }, "a bot of your own"), " can play there."),
      html("p", {}, html("button", { type: "button", class: "button", onclick: () => location.reload() }, "Try again"))),
  );
  root.dataset.failed = "";
}

function finish(told) {
  const { film } = table;
  results.push({ seats: film.names, points: told.result.points });
  const me = onePerson();
  const study = new Set(film.sides).size > 1 ? new Study(tab, ask) : null;
  const watch = (how = {}) => guarded(() => watchAgain(root, {
    board, ask, study, back: () => ending.refresh(), playOn: (step, seat) => guarded(() => playOn(step, seat)), ...how,
  }));
  ending = createEnding({
    film, me, results, study,
    words: [table.teller.result(), ...faults()].join(" "),
    record: me === null || origin ? "" : record(film, me),
    frames: table.films.get(table.viewer).frames,
    replay: () => ask("replay"),
    // Others made the first moves of a play that goes on from a replay: nobody's page has it.
    keep: people() && !origin ? setup.keep : null,
    share: people() && !origin ? setup.share : null,
    act: {
      watch, analyse: study ? () => watch({ analysed: true }) : null, newDeal, again: () => deal(seed), other: choosing,
      rotate: seats.length > 1 && !origin && !daily ? () => { seats = [...seats.slice(1), seats[0]]; deal(seed); } : null,
    },
  });
  if (daily) ending.top.append(daily.finish(() => ask("replay")));
  table.end(ending);
  guide = null; // all has been said
}

const people = () => seats.some((one) => !one.bot);

/** The seat of the only person at the table, or null. */
function onePerson() {
  const found = seats.flatMap((one, seat) => (one.bot ? [] : [seat]));
  return found.length === 1 ? found[0] : null;
}

/** The only person's record against the others, with this play. */
function record({ names, sides, result }, me) {
  const opponents = names.filter((_, seat) => sides[seat] !== sides[me]);
  return opponents.length ? recordWords(opponents, count(setup.game, opponents, outcome(result, sides, me))) : "";
}

/** Which bots failed, a sentence each. */
function faults() {
  const { films, film: { names } } = table;
  const [{ frames }] = films.values();
  return frames.filter(({ entry, beat }) => entry?.fault && !beat).map(({ entry }) => `${names[entry.seat]} failed: ${entry.words}.`);
}

/** Another deal, which no replay has begun. */
function newDeal() {
  setup.from = origin = daily = null;
  return deal(aSeed());
}

/** Sit down again, at a step of the play that is over. */
async function playOn(step, seat) {
  origin = await ask("replay");
  setup.from = { step, seat, seats: seats.length };
  daily = null;
  choosing();
}

function deal(next, answers = []) {
  if (next !== seed) results = [];
  seed = next;
  busy = true;
  if (!origin && !daily) nameInAddress();
  return guarded(() => begin(answers));
}

function nameInAddress() {
  // The address is a link to this deal, with the same bots.
  const bot = seats.find((one) => one.bot)?.bot;
  const version = new URLSearchParams(location.search).get("version");
  const query = new URLSearchParams({
    seats: String(seats.length), ...(bot && { bot }), ...(version && { version }), seed: String(seed),
  });
  history.replaceState(history.state, "", `?${query}`);
}

// One key for another play.
document.addEventListener("keydown", (event) => {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
  if (event.key.toLowerCase() !== "r" || !isPlain || !ending?.top.isConnected || takesKey(event)) return;
  letterKeys.recall();
  if (letterKeys.on) newDeal();
});

function tools(hasPeople) {
  if (!hasPeople || daily?.isCounted) return [];
  const button = (label, does) => html("button", { type: "button", class: "button slight asking", onclick: does }, label);
  return [button("Hint", hint), button("Take back", takeBack)];
}

async function hint() {
  if (busy || root.dataset.asked === undefined) return;
  const now = table;
  now.choices.hint("House bots are thinking …", null);
  const told = await guarded(() => ask("hint"));
  if (!told || table !== now || busy) return;
  if (told.refused) return now.choices.hint(told.refused, null);
  now.choices.hint(`${told.bot} would ${told.words[0].toLowerCase()}${told.words.slice(1)}.`, told.action);
  now.picking.hint(told.action);
  now.aim?.suggest(told.action);
}

/** Back to the last question that a person was asked before this one. */
async function takeBack() {
  if (busy || root.dataset.asked === undefined) return;
  const last = given.findLastIndex(({ seat }) => !seats[seat].bot);
  if (last < 0) return table.choices.refuse("There is nothing to take back yet.");
  busy = true;
  await guarded(() => begin(given.slice(0, last)));
}

function choosing() {
  table = daily = null;
  guide = null;
  root.replaceChildren(createSeating({ setup, sit, learn }));
}

/** A first play: a table that suits it, with a note at what is new. */
function learn() {
  const { seats: count, bot, seed: its } = setup.guide;
  const { name } = setup.bots.find(({ short }) => short === bot);
  guide = createGuide(setup.guide, () => { guide.box.remove(); guide = null; });
  return sit([{ name: setup.you }, ...Array(count - 1).fill({ name, bot })], its);
}

/** Play the deal of the day, from where it was left. */
async function sitDaily() {
  const answers = await guarded(() => daily.start());
  if (answers) await sit(daily.seats(), daily.seed, answers);
}

async function sit(chosen, chosenSeed = linked ? Number(linked[0]) : aSeed(), answers = []) {
  seats = chosen;
  root.replaceChildren(loading);
  tab ??= new Tab((share) => { bar.value = share; }); // megabytes, so not before somebody sits down
  await guarded(async () => {
    await tab.ready;
    await openSandboxes();
    if (setup.from) origin ??= await bytesOf(setup.from.replay);
    loading.remove();
    keepForOffline(FILES).then((isKept) => root.toggleAttribute("data-kept", isKept), () => {}); // playing needs none of it
    await deal(chosenSeed, answers);
  });
}

try {
  if (!globalThis.WebAssembly || !globalThis.Worker) throw new Error("this browser is too old for it");
  board = await import(setup.board);
  if (daily) root.replaceChildren(daily.door(sitDaily));
  else if (setup.guide && new URLSearchParams(location.search).has("guide")) learn();
  else choosing();
  root.dataset.ready = "";
} catch (error) {
  sorry(error);
}
