// The replay theatre: a play on stage, on the site and in a file that opens offline.

import { keepAddress, stepInAddress } from "./address.js";
import { decode } from "./decode.js";
import { html } from "./dom.js";
import { openHouse } from "./house.js";
import { fetchFilm, follow, isUnderWay, isUnstored, opening } from "./live.js";

const root = document.getElementById("theatre");
const setup = JSON.parse(document.getElementById("theatre-setup").textContent);

let seen = null; // the seat through whose eyes the play is watched; null sees all

// A film as one seat saw it, or as all is: from the server, or out of this very file.
async function load(seat) {
  const inside = document.getElementById(`film-${seat ?? "all"}`);
  if (inside) return decode(JSON.parse(inside.textContent));
  const film = await fetchFilm(seat === null ? setup.frames : `${setup.frames}?view=${seat}`, decode);
  seen = seat;
  return film;
}

// Python in this tab judges the play; it is loaded when it is asked for first.
async function analyse(loading) {
  const { analysisOf } = await import("../play/analyser.js");
  return analysisOf(setup.replay, loading);
}

function assemble(board, film, about, share) {
  const player = openHouse(root, { board, film, setup, load, about, share, analyse: setup.replay ? analyse : null });
  keepAddress(player);
  const step = stepInAddress();
  player.goToStep(step ?? 0);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (step === null && isUnderWay(film)) player.catchUp();
  else if (step === null && !still) player.open();
  root.dataset.ready = "";
  return player;
}

// A play that was opened before it was over; then its replay can be had.
async function watchLive(film, player, about) {
  try {
    await follow({ film, player, load: () => load(seen), goesOn: isUnstored });
    about.querySelector("[data-when-over]").hidden = false;
  } catch (error) {
    player.stop();
    root.prepend(problem(`This play cannot be followed any further: ${error.message}.`));
  }
}

function problem(words) {
  return html("p", { class: "problem", role: "alert" }, words);
}

try {
  const [board, film] = await Promise.all([import(setup.board), opening(() => load(null))]);
  // What the page says about the play stands in a panel once the play is on stage.
  const about = document.querySelector(".page-head");
  const share = setup.share ? (await import("../share/share.js")).createShare : null;
  const player = assemble(board, film, about, share);
  if (setup.live) watchLive(film, player, about);
} catch (error) {
  const rest = setup.live ? "The match may have been cancelled." : "You can still download the replay file.";
  root.replaceChildren(problem(`This play could not be shown: ${error.message}. ${rest}`));
  throw error;
}
