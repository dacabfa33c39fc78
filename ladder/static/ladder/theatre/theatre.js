// The replay theatre: a play on stage, on the site and in a file that opens offline.

import { keepAddress, stepInAddress } from "./address.js";
import { decode } from "./decode.js";
import { html } from "./dom.js";
import { openHouse } from "./house.js";

const root = document.getElementById("theatre");
const setup = JSON.parse(document.getElementById("theatre-setup").textContent);

// A film as one seat saw it, or as all is: from the server, or out of this very file.
async function load(seat) {
  const inside = document.getElementById(`film-${seat ?? "all"}`);
  if (inside) return decode(JSON.parse(inside.textContent));
  const response = await fetch(seat === null ? setup.frames : `${setup.frames}?view=${seat}`);
  if (!response.ok) throw new Error(`the server answers ${response.status}`);
  return decode(await response.json());
}

function assemble(board, film) {
  // What the page says about the play stands in a panel once the play is on stage.
  const about = document.querySelector(".page-head");
  const player = openHouse(root, { board, film, setup, load, about });
  keepAddress(player);
  const step = stepInAddress();
  player.goToStep(step ?? 0);
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (step === null && !still) player.open();
  root.dataset.ready = "";
}

try {
  const [board, film] = await Promise.all([import(setup.board), load(null)]);
  assemble(board, film);
} catch (error) {
  root.replaceChildren(html(
    "p", { class: "problem", role: "alert" },
    `This play could not be shown: ${error.message}. You can still download the replay file.`,
  ));
  throw error;
}
