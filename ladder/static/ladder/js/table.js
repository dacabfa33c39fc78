// Tables in motion: each shows a play to its end, then the newest one there is.
import { decode } from "../theatre/decode.js";
import { Player } from "../theatre/player.js";
import { createStage } from "../theatre/stage.js";

const PAUSE_MS = 4000; // the end of a play may be looked at

function dress(/** @type {string} */ style) {
  if (document.querySelector(`link[href="${style}"]`)) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: style }));
}

// Returns once the play has been shown to its end.
async function show(/** @type {HTMLElement} */ place) {
  const { board, frames, style } = place.dataset;
  dress(style);
  const [drawing, answer] = await Promise.all([import(board), fetch(frames)]);
  if (!answer.ok) return false;
  const film = decode(await answer.json());
  const player = new Player(film.frames);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  place.replaceChildren(createStage(drawing, film, player));
  player.go(still ? Math.floor(player.last / 2) : 0);
  place.dataset.ready = "";
  if (still) return false;
  player.setSpeed(2);
  player.open();
  await new Promise((over) => player.listen(() => player.index === player.last && over(true)));
  return true;
}

async function serve(/** @type {HTMLElement} */ table) {
  while (await show(table.querySelector("[data-frames]"))) {
    await new Promise((ready) => setTimeout(ready, PAUSE_MS));
    const answer = await fetch(table.dataset.next);
    if (answer.status !== 200) continue; // nothing newer: the same again
    const next = document.createRange().createContextualFragment(await answer.text()).querySelector("figure");
    table.replaceWith(next);
    table = next;
  }
}

for (const table of document.querySelectorAll("[data-next]")) serve(/** @type {HTMLElement} */ (table));
