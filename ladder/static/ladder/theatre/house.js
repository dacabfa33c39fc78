// The house around a play: table, controls and panels, wherever a film is watched.

import { createAnalysis, Judged } from "./analysis.js";
import { createControls } from "./controls.js";
import { html } from "./dom.js";
import { createGraph } from "./graph.js";
import { createKeyCard, listenToKeys } from "./keyboard.js";
import { mistakes, turningPoints } from "./marks.js";
import { createInside, createNotes } from "./inside.js";
import { createLegend } from "./legend.js";
import { isUnderWay } from "./live.js";
import { createMoves } from "./moves.js";
import { createPanels } from "./panels.js";
import { createPlayOn } from "./play_on.js";
import { Player, SPEEDS } from "./player.js";
import { createEyes, createSeats } from "./seats.js";
import { createStage } from "./stage.js";
import { createExplorer } from "./study/explorer.js";
import { createTelling } from "./telling.js";
import { createTeller } from "./words.js";

// `load` brings the film as one seat saw it; `about` is what else there is to say of the play;
// `analyse` judges its decisions, where that is possible; `share` makes the panel to share it.
export function openHouse(root, { board, film, setup, load, about, analyse = null, share = null }) {
  const player = new Player(film.frames);
  player.live = isUnderWay(film);
  const teller = createTeller(film, setup.faults);
  const marks = { of: null, mistakes: [], turns: [] };
  player.listen(() => {
    if (marks.of === film.frames) return;
    const { frames, sides } = film;
    Object.assign(marks, { of: frames, mistakes: mistakes(frames), turns: turningPoints(frames, sides) });
  });
  const card = createKeyCard();
  const fullScreen = () => (
    document.fullscreenElement ? document.exitFullscreen() : root.requestFullscreen()
  );
  const judged = new Judged();
  const parts = { player, film, judged, teller, marks, fullScreen, showKeys: () => card.showModal() };
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
  const stage = createStage(board, film, player);
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
      html("div", { class: "front" }, stage, controls),
      createPanels({
        Score: [
          seats.list, createEyes({ film, choose }), problem, createGraph({ ...parts, seats }),
        ],
        Moves: createMoves(parts),
        Analysis: withExplorer(
          createAnalysis({ ...parts, board, stage, analyse, stored: setup.analysis }),
          setup.explorer && createExplorer({ player, address: setup.explorer }),
        ),
        Notes: createNotes({ ...parts, address: setup.notes }),
        Inside: createInside({ ...parts, addresses: setup.inside }),
        Share: share?.({ ...parts, board, setup }),
        // What the page says about the play stands here once the play is on stage.
        More: [
          legend && html("details", { class: "in-words" }, html("summary", {}, "Symbols"), legend), words,
          setup.live ? null : createPlayOn({ ...parts, setup }),
          about,
        ],
      }),
    ),
    live, card,
  );
  listenToKeys({ ...parts, faster, plays: setup.plays ?? {}, card });
  return player;
}

/** The panel of an analysis, with the explorer below it where there is one. */
const withExplorer = (analysis, explorer) => (explorer ? [analysis, explorer].flat().filter(Boolean) : analysis);
