// The waiting room of a table: its link, who has joined, and the form to join.

import { html } from "../theatre/dom.js";

const NAME = "ladle-guest-name";

/** The name a guest plays under; a signed-in user has one already. */
export function nameField({ you, longest_name: longest }) {
  if (you) return { box: html("p", { class: "quiet" }, `You play as ${you}.`), value: () => you };
  const input = html("input", {
    type: "text", id: "guest-name", name: "name", required: true, maxlength: longest, autocomplete: "nickname", value: localStorage.getItem(NAME) ?? "",
  });
  return {
    box: html("p", { class: "field" }, html("label", { for: "guest-name" }, "Your name"), input),
    value: () => {
      localStorage.setItem(NAME, input.value);
      return input.value;
    },
  };
}

export function createRoom({ setup, room, mine, problem, join }) {
  const free = room.seats.filter(({ name }) => !name).length;
  const alert = html("p", { class: "problem", role: "alert" }, problem);
  return html(
    "section", { class: "seating waiting-room" },
    html("h2", {}, title(room, mine, free)),
    room.state === "waiting" && mine !== null ? invitation(setup.link, free) : null,
    html("ol", { class: "places-at-table" }, room.seats.map((seat, at) => html(
      "li", {}, html("span", { class: "quiet" }, `Seat ${at + 1}`),
      html("span", { class: "break" }, seat.name || "free", " ", html("span", { class: "badge" }, status(seat, at === mine))),
    ))),
    alert,
    room.state === "waiting" && mine === null && free && setup.door ? joining(setup, join, alert) : null,
    room.state === "waiting" && mine !== null ? null : html("p", { class: "actions" }, next(setup, room, mine, free)),
    mine === null ? null : html("p", { class: "quiet small" }, "You can close this page and come back in this browser: your seat stays yours."),
  );
}

function title(room, mine, free) {
  if (room.state === "over") return "This game is over";
  if (room.state === "called off") return "This game was cancelled";
  if (room.state === "playing") return mine === null ? "This table is full" : "The game begins …";
  return mine === null ? "You are invited to play" : `Waiting for ${free} more player${free === 1 ? "" : "s"}`;
}

function status({ name, is_bot: isBot, is_online: isOnline }, isMine) {
  if (isBot) return "bot";
  if (isMine) return "you";
  if (!name) return "waiting";
  return isOnline ? "here" : "joined";
}

function invitation(link, free) {
  const field = html("input", { type: "text", id: "invitation", readonly: true, value: link, onfocus: () => field.select() });
  const button = html("button", { type: "button", class: "button main", onclick: copy }, "Copy link");
  async function copy() {
    try {
      await navigator.clipboard.writeText(link);
      button.textContent = "Copied";
    } catch {
      field.select(); // the browser lets nobody copy: then by hand
    }
  }
  return html(
    "div", { class: "invitation" },
    html("p", { class: "field" }, html("label", { for: "invitation" }, `Send this link to ${free === 1 ? "a friend" : "your friends"}`), field),
    html("p", { class: "actions" }, button),
  );
}

function joining(setup, join, alert) {
  const name = nameField(setup);
  const send = async (event) => {
    event.preventDefault();
    alert.textContent = "";
    try {
      await join(name.value());
    } catch (error) {
      alert.textContent = error.message;
    }
  };
  return html("form", { onsubmit: send }, name.box, html("p", { class: "actions" }, html("button", { class: "button main large" }, "Join table")));
}

function next(setup, room, mine, free) {
  if (room.state === "over" && room.play !== null) {
    return [html("a", { class: "button main", href: `${setup.plays}${room.play}/` }, "Watch the replay"),
      html("a", { class: "button", href: setup.again }, "Create a new table")];
  }
  if (room.state === "playing" && mine !== null) return [];
  if (room.state === "waiting" && free) return [html("a", { class: "button", href: setup.rules }, "Read the rules")];
  return [html("a", { class: "button main", href: setup.again }, "Create a new table")];
}
