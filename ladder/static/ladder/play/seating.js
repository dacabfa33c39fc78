// Who sits where: chosen before a play. A seat is a person's or a bot's.

import { html } from "../theatre/dom.js";

export const YOU = "you";
export const FRIEND = "friend";

/**
 * How many seats there are, and who takes each.
 * @param {{boards: {seats: number, words: string}[], bots: any[], friend: string, first: number | string, wanted: (seat: number) => string}} given
 */
export function createPlaces({ boards, bots, friend, first, wanted }) {
  const count = html(
    "select", { id: "seat-count", onchange: () => fill() },
    boards.map(({ seats, words }) => html("option", { value: seats, selected: String(seats) === String(first) }, words)),
  );
  const places = html("ol", { class: "places-at-table" });

  function fill() {
    const before = [...places.querySelectorAll("select")].map((one) => one.value);
    places.replaceChildren(...Array.from({ length: Number(count.value) }, (_, seat) => html(
      "li", {},
      html("label", { for: `seat-${seat}` }, `Seat ${seat + 1}`),
      choice(seat, before[seat] ?? wanted(seat)),
    )));
  }

  function choice(seat, chosen) {
    const option = (value, words) => html("option", { value, selected: value === chosen }, words);
    return html(
      "select", { id: `seat-${seat}` },
      option(YOU, "You"), option(FRIEND, friend),
      bots.map((bot) => option(bot.short, bot.label ?? bot.name)),
    );
  }

  fill();
  return {
    nodes: [html("p", { class: "field" }, html("label", { for: "seat-count" }, "Seats"), count), places],
    values: () => [...places.querySelectorAll("select")].map(({ value }) => value),
  };
}

export function createSeating({ setup, sit, learn }) {
  const asked = new URLSearchParams(location.search);
  const named = setup.bots.find((bot) => bot.short === asked.get("bot")) ?? setup.bots.find((bot) => bot.sha256);
  const { from } = setup; // a replay to play on from
  const first = from ? from.seats : setup.boards.some(({ seats }) => String(seats) === asked.get("seats"))
    ? asked.get("seats") : setup.boards.find(({ seats }) => seats > 1).seats;
  const places = createPlaces({
    boards: setup.boards.filter(({ seats }) => !from || seats === from.seats),
    bots: setup.bots, friend: "A friend on this device", first,
    wanted: (seat) => (seat === (from?.seat ?? 0) ? YOU : named?.short ?? "greedy"),
  });

  function seats() {
    return places.values().map((value) => {
      const bot = setup.bots.find(({ short }) => short === value);
      if (bot) return { name: bot.name, bot: bot.short, version: bot.version, sha256: bot.sha256 };
      return { name: value === YOU ? setup.you : "Friend" };
    });
  }

  return html(
    "form", { class: "seating", onsubmit: (event) => { event.preventDefault(); sit(seats()); } },
    html("h2", {}, "Who plays?"),
    from && html(
      "p", { class: "notice" }, "You play on from ", from.page ? html("a", { href: `${from.page}#step=${from.step}` }, `step ${from.step} of a replay`) : `step ${from.step} of your last game`,
      ". The true cards stay where they are, also those that your seat cannot see, and the same seed continues.",
    ),
    setup.guide && !from && html(
      "p", { class: "first-time" }, "New to this game? ",
      html("button", { type: "button", class: "button", onclick: learn }, "Start a guided game"),
    ),
    places.nodes,
    html(
      "p", { class: "actions" },
      html("button", { class: "button main large" }, "Sit down"),
      setup.friends && html("a", { class: "button", href: setup.friends }, "Play with friends online"),
      html("a", { class: "button", href: setup.rules }, "Read the rules"),
    ),
    html("p", { class: "quiet small" }, "Nothing is sent to anyone: the game runs in this tab, with the same rules engine as the ladder."),
  );
}
