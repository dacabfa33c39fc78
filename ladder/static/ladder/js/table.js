// A play that goes on by itself in a corner of a page, over and over.
import { decode } from "../theatre/decode.js";
import { Player } from "../theatre/player.js";
import { createStage } from "../theatre/stage.js";

const PAUSE_MS = 4000; // the end of a play may be looked at

async function set(/** @type {HTMLElement} */ place) {
  const { board, frames } = place.dataset;
  const [drawing, answer] = await Promise.all([import(board), fetch(frames)]);
  if (!answer.ok) return;
  const film = decode(await answer.json());
  const player = new Player(film.frames);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  place.replaceChildren(createStage(drawing, film, player));
  player.go(still ? Math.floor(player.last / 2) : 0);
  place.dataset.ready = "";
  if (still) return;
  player.setSpeed(2);
  player.open();
  player.listen(() => {
    if (player.index === player.last) setTimeout(() => player.toggle(), PAUSE_MS);
  });
}

for (const place of document.querySelectorAll("[data-frames]")) set(/** @type {HTMLElement} */ (place));
