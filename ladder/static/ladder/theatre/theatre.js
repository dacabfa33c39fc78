// The replay theatre: puts its parts together on the site and in a file that opens offline.

import { keepAddress, stepInAddress } from "./address.js";
import { createControls } from "./controls.js";
import { decode } from "./decode.js";
import { html } from "./dom.js";
import { createGraph } from "./graph.js";
import { createKeyCard, listenToKeys } from "./keyboard.js";
import { mistakes, turningPoints } from "./marks.js";
import { createInside } from "./inside.js";
import { createLegend } from "./legend.js";
import { createMoves } from "./moves.js";
import { createPanels } from "./panels.js";
import { createPlayOn } from "./play_on.js";
import { Player, SPEEDS } from "./player.js";
import { createEyes, createSeats } from "./seats.js";
import { createStage } from "./stage.js";
import { createTelling } from "./telling.js";
import { createTeller } from "./words.js";

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
  const player = new Player(film.frames);
  const teller = createTeller(film, setup.faults);
  const marks = { mistakes: mistakes(film.frames), turns: turningPoints(film.frames, film.sides) };
  const card = createKeyCard();
  const fullScreen = () => (
    document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()
  );
  const parts = { player, film, teller, marks, fullScreen, showKeys: () => card.showModal() };
  const problem = html("p", { class: "problem", role: "alert" });

  async function choose(seat) {
    try {
      player.recast((await load(seat)).frames);
      problem.textContent = "";
    } catch (error) {
      problem.textContent = `That view could not be loaded: ${error.message}.`;
    }
  }

  const legend = createLegend(board);
  const seats = createSeats({ ...parts, links: setup.links });
  const controls = createControls(parts);
  const speed = controls.querySelector(".speed");
  const faster = (by) => {
    const at = SPEEDS.indexOf(player.speed) + by;
    if (!SPEEDS[at]) return;
    player.setSpeed(SPEEDS[at]);
    speed.value = SPEEDS[at];
  };
  const [words, live] = createTelling(parts);
  root.replaceChildren(
    html(
      "div", { class: "house" },
      html("div", { class: "front" }, createStage(board, film, player), controls),
      createPanels({
        Score: [
          seats.list, createEyes({ film, choose }), problem, createGraph({ ...parts, seats }),
        ],
        Moves: createMoves(parts),
        Inside: createInside({ ...parts, addresses: setup.inside }),
        // What the page says about the play stands here once the play is on stage.
        More: [
          legend && html("details", { class: "in-words" }, html("summary", {}, "Symbols"), legend), words, createPlayOn({ ...parts, setup }),
          document.querySelector(".page-head"),
        ],
      }),
    ),
    live, card,
  );
  listenToKeys({ ...parts, faster, plays: setup.plays ?? {}, card });
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
    `This play could not be put on stage: ${error.message}. The replay file can still be had.`,
  ));
  throw error;
}
