// Play with friends: make a table, invite others by its link, and play turn by turn over the network.
// The server keeps the cards. This page gets what its own seat may see, and answers as a remote bot does.

import { html } from "../theatre/dom.js";
import { headline } from "./end/ending.js";
import { outcome } from "./end/record.js";
import { Door, post, Refused } from "./network.js";
import { createPlaces, FRIEND, YOU } from "./seating.js";
import { Table } from "./table.js";
import { createRoom, nameField } from "./waiting.js";

const root = document.getElementById("theatre");
const setup = JSON.parse(document.getElementById("friends-setup").textContent);
const pace = { speed: 2 };

let board = null;
let table = null;
let room = setup.room;
let count = 0; // of the frames that are here
let line = null; // the decision that waits for an answer
let busy = false;
let door = null;
let mine = null; // the seat
let refreshing = Promise.resolve();

const stored = (key) => `ladle-table-${key}`;

/** The form that makes a table. */
function showForm() {
  const problem = html("p", { class: "problem", role: "alert" });
  const places = createPlaces({
    boards: setup.boards.filter(({ seats }) => seats > 1), bots: setup.bots, friend: "A friend, by link",
    first: setup.boards.find(({ seats }) => seats > 1).seats,
    wanted: (seat) => (seat === 0 ? YOU : FRIEND),
  });
  const name = nameField(setup);
  const create = async (event) => {
    event.preventDefault();
    const values = places.values();
    problem.textContent = "";
    if (values.filter((value) => value === YOU).length !== 1) {
      problem.textContent = "Choose “You” for exactly one seat.";
      return;
    }
    const people = [YOU, FRIEND];
    try {
      const made = await post(location.pathname, setup.token, {
        places: values.map((value) => (people.includes(value) ? "" : value)), seat: values.indexOf(YOU), name: name.value(),
      });
      remember(made);
      location.assign(made.page);
    } catch (error) {
      problem.textContent = error.message;
    }
  };
  root.replaceChildren(html(
    "form", { class: "seating", onsubmit: create },
    html("h2", {}, "Play with friends"),
    html("p", {}, "Make a table and send its link to your friends. Everybody plays in their own browser, without an account."),
    name.box, places.nodes, problem,
    html("p", { class: "actions" }, html("button", { class: "button main large" }, "Create table"),
      html("a", { class: "button", href: setup.rules }, "Read the rules")),
  ));
}

/** Keep the secret of a seat in this browser: with it, the seat is found again after a reload. */
function remember({ page, secret }) {
  localStorage.setItem(stored(page.split("/").at(-2)), secret);
}

async function join(name) {
  remember(await post(setup.join, setup.token, { name }));
  await sit();
}

/** Take up the seat whose secret this browser has. */
async function sit() {
  const secret = localStorage.getItem(stored(setup.key));
  if (!secret) return showRoom();
  door = new Door(setup.door, secret);
  await refresh();
  if (mine === null) { // somebody else's secret, or one that was renewed elsewhere
    localStorage.removeItem(stored(setup.key));
    return showRoom("This browser no longer holds a seat at this table.");
  }
  door.follow(refresh, (words) => say(words), () => {
    localStorage.removeItem(stored(setup.key));
    say("Your seat is now held by another browser. Reload the page to see the table.");
  });
}

function say(words) {
  if (table) table.choices.refuse(words);
  else showRoom(words);
}

function showRoom(problem = "") {
  delete root.dataset.asked;
  root.replaceChildren(createRoom({ setup, room, mine, problem, join }));
  root.dataset.room = room.state;
}

/** Ask the server how the table stands, one time after the other. */
function refresh() {
  refreshing = refreshing.then(look, look);
  return refreshing;
}

async function look() {
  const response = await fetch(`${setup.state}?after=${count}`, { headers: door.headers, cache: "no-store" });
  if (response.status === 404) {
    door.stop();
    return showRoom("This table is gone. Make a new one.");
  }
  if (!response.ok) throw new Refused(response.status, `The server answered ${response.status}.`);
  const told = await response.json();
  ({ room, seat: mine } = told);
  if (!told.play) return showRoom();
  await show(told.play);
}

async function show(told) {
  const isNew = !table;
  if (isNew) {
    table = new Table({ root, board, told, people: [mine], rules: setup.rules, choose, pace, tools: tools() });
    root.dataset.room = room.state;
  }
  const fresh = count < told.count;
  count = told.count;
  if (line && told.line === line && !isNew) return; // still the same question
  if (line !== told.line || fresh) {
    line = null;
    table.rest("");
  }
  await table.show(isNew ? { ...told, frames: [[told.frames[0][0], []]] } : told);
  if (told.result) return end(told);
  if (told.line) {
    line = told.line;
    busy = false;
    await table.ask(told.asked);
  } else {
    table.rest(waitingFor(told.asked));
  }
}

function waitingFor(asked) {
  if (!asked || asked.seat === mine) return "Your move is on its way …";
  if (asked.seat === null) return "The other players are deciding …"; // who is asked can depend on secret cards
  const { name, is_bot: isBot, is_online: isOnline } = room.seats[asked.seat];
  if (isBot) return `${name} thinks …`;
  return isOnline ? `Waiting for ${name} …` : `Waiting for ${name}, who is not connected now …`;
}

async function choose(action) {
  if (busy || !line) return;
  busy = true;
  const [asked, now] = [line, table];
  try {
    await door.answer(asked, action, (words) => now.choices.refuse(words));
    if (line !== asked) return;
    line = null;
    now.rest("Your move is on its way …");
  } catch (error) {
    busy = false;
    if (!(error instanceof Refused)) throw error;
    now.choices.refuse(error.message);
    now.aim?.begin();
    if (error.status === 409) await refresh();
  }
}

function tools() {
  const ask = async () => {
    if (busy || !line) return;
    const asked = line;
    table.choices.hint("House Greedy is thinking …", null);
    const response = await fetch(setup.hint, { method: "POST", headers: door.headers });
    if (line !== asked) return;
    if (!response.ok) return table.choices.hint("There is no hint now. Try again later.", null);
    const told = await response.json();
    if (told.refused) return table.choices.hint(told.refused, null);
    table.choices.hint(`${told.bot} would ${told.words[0].toLowerCase()}${told.words.slice(1)}.`, told.action);
    table.picking.hint(told.action);
    table.aim?.suggest(told.action);
  };
  return [html("button", { type: "button", class: "button slight asking", onclick: ask }, "Hint")];
}

function end(told) {
  const { film } = table;
  film.result = told.result;
  const links = room.play === null
    ? html("p", { class: "quiet" }, "Saving the replay …")
    : html(
      "p", { class: "actions" },
      html("a", { class: "button main", href: `${setup.plays}${room.play}/` }, "Watch the replay"),
      html("a", { class: "button", href: setup.again }, "Create a new table"),
    );
  table.end({
    top: html(
      "section", { class: `ending ${outcome(film.result, film.sides, mine)}`, "aria-label": "The end" },
      html("p", { class: "result", tabindex: "-1" }, headline(film, mine)),
      html("p", { class: "how" }, table.teller.result()),
    ),
    rest: html("div", { class: "ending" }, links),
  });
  root.dataset.room = room.state;
  if (room.play !== null) door.stop();
}

try {
  if (setup.key) {
    board = await import(setup.board);
    if (setup.door) await sit();
    else showRoom("Playing with friends does not work: this site has no event stream. Please tell its operator.");
  } else {
    showForm();
  }
  root.dataset.ready = "";
} catch (error) {
  root.replaceChildren(
    html("div", { class: "notice error", role: "alert" },
      html("p", {}, `The table could not be opened: ${error.message}`),
      html("p", {}, html("button", { type: "button", class: "button", onclick: () => location.reload() }, "Try again"))),
  );
  root.dataset.failed = "";
}
