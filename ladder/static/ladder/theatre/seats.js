// Who sits at the table, what they have, and whose eyes we look through. A team shares a colour.

import { html } from "./dom.js";

export function createSeats({ player, film, links }) {
  const chips = film.names.map((name, seat) => {
    const points = html("span", { class: "points" });
    const acting = html("span", { class: "visually-hidden" });
    const called = links[seat] ? html("a", { href: links[seat] }, name) : name;
    const chip = html(
      "li", { class: `chip seat${film.sides[seat]}` }, html("span", { class: "name" }, called), points, acting,
    );
    return { chip, points, acting };
  });

  player.listen(() => {
    const { view } = player.frame;
    const over = player.index === player.last && film.result;
    chips.forEach(({ chip, points, acting }, seat) => {
      const turn = view.to_act === seat && !over;
      chip.classList.toggle("acting", turn);
      chip.classList.toggle("won", Boolean(over) && film.result.places[seat] === 1);
      acting.textContent = turn ? ", to act" : "";
    });
  });
  return {
    list: html(
      "ul", { class: "chips", "aria-label": `Seats and their ${film.points_name}` },
      chips.map(({ chip }) => chip),
    ),
    // What each seat has now; at the end, after all that the result adds.
    now: () => (player.index === player.last && film.result ? film.result : player.frame.view).points,
    show: (values) => chips.forEach(({ points }, seat) => { points.textContent = values[seat]; }),
  };
}

// Choosing a seat asks for the play as that seat saw it.
export function createEyes({ film, choose }) {
  if (!film.has_secrets) return null;
  const select = html(
    "select", { onchange: () => choose(select.value === "" ? null : Number(select.value)) },
    html("option", { value: "" }, "all cards"),
    film.names.map((name, seat) => html("option", { value: seat }, `only ${name}`)),
  );
  return html("label", { class: "eyes" }, "Seen by ", select);
}
