// Tables in motion: each shows a play to its end, as it is played or afterwards, then another one.
import { decode } from "../theatre/decode.js";
import { fetchFilm, follow, isUnderWay } from "../theatre/live.js";
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
  const load = () => fetchFilm(frames, decode);
  const [drawing, film] = await Promise.all([import(board), load()]);
  const player = new Player(film.frames);
  player.live = isUnderWay(film);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  place.replaceChildren(createStage(drawing, film, player));
  player.go(still ? Math.floor(player.last / 2) : 0);
  place.dataset.ready = "";
  if (still) return false;
  player.setSpeed(2);
  if (player.live) {
    player.catchUp();
    await follow({ film, player, load, goesOn: isUnderWay });
  } else {
    player.open();
  }
  if (player.index < player.last) {
    await new Promise((over) => player.listen(() => player.index === player.last && over(true)));
  }
  return true;
}

// A table with a play that is newer or under way, and not on this page; null while there is none.
async function another(/** @type {HTMLElement} */ table) {
  const tables = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-match]"));
  const others = [...tables].filter((one) => one !== table);
  const but = others.map((one) => `&but=${one.dataset.match}`).join("");
  const { next, match, play } = table.dataset;
  const answer = await fetch(`${next}&after=${match}&play=${play}${but}`);
  if (answer.status !== 200) return null;
  return document.createRange().createContextualFragment(await answer.text()).querySelector("figure");
}

// A match that was called off leaves its table to another.
function failed(/** @type {Error} */ error) {
  console.warn(error);
  return true;
}

async function serve(/** @type {HTMLElement} */ table) {
  while (await show(table.querySelector("[data-frames]")).catch(failed)) {
    await new Promise((ready) => setTimeout(ready, PAUSE_MS));
    const next = await another(table);
    if (!next) continue; // nothing else: the same again
    table.replaceWith(next);
    table = next;
  }
}

for (const table of document.querySelectorAll("[data-next]")) serve(/** @type {HTMLElement} */ (table));
