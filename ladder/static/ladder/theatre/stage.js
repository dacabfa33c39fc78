// The table itself: hosts a game's drawing, whole, in the room there is.

import { html, svg } from "./dom.js";
import { createGains } from "./effects/gains.js";
import { shorten } from "./words.js";

const WORTH = 1.5; // a board draws less in its portrait layout: it must be this much larger
const MOST_MS = 900; // a movement longer than this would only delay

export function createStage(board, film, player) {
  const table = svg("svg", { class: "table", role: "img", "aria-label": "The table" });
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  // `me` is the seat to be drawn at the bottom, if there is one; `you` the one that sentences call so.
  const context = {
    names: film.names, seats: film.seats, narrow: false, me: null, you: null,
    short: (seat, room) => shorten(film.names, room)[seat],
  };
  const gains = createGains(board, context);
  const host = html("div", { class: "stage" }, table, gains.layer);
  let moving = null;
  let shown = null;

  function draw() {
    fit();
    table.replaceChildren(...board.draw(svg, player.frame, context));
  }

  function fit() {
    context.me = film.me ?? null;
    context.you = film.you ?? null;
    table.setAttribute("viewBox", board.viewBox(film.seats, context.narrow, context.me));
    table.dataset.narrow = String(context.narrow);
  }

  function settle() {
    moving?.stop();
    moving = null;
  }

  player.listen((before) => {
    const { frame } = player;
    const same = frame === shown || frame.view === shown?.view;
    shown = frame;
    if (same) return; // the table stays
    settle();
    gains.clear();
    table.setAttribute("aria-label", `The table after move ${frame.moves}`);
    const onward = player.index === before + 1;
    const milliseconds = Math.min(MOST_MS, 0.85 * player.interval);
    if (onward) gains.show(player.frames[before], frame, still.matches ? 0 : milliseconds);
    if (!onward || still.matches || !board.animate) return draw();
    moving = board.animate(table, player.frames[before], frame, svg, context, milliseconds);
  });

  // How large one unit of a layout would be.
  function scale(narrow) {
    const [, , width, height] = board.viewBox(film.seats, narrow, film.me ?? null).split(" ").map(Number);
    return Math.min(host.clientWidth / width, host.clientHeight / height);
  }

  new ResizeObserver(() => {
    const narrow = scale(true) > WORTH * scale(false);
    if (narrow === context.narrow && table.hasAttribute("viewBox")) return;
    settle();
    gains.clear();
    context.narrow = narrow;
    draw();
  }).observe(host);

  return host;
}
