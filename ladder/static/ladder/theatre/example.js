// The example on a rules page: a few moves with notes, and a legend of all symbols, both drawn by the
// code that draws the table in the theatre.

import { createControls } from "./controls.js";
import { decode } from "./decode.js";
import { html } from "./dom.js";
import { createLegend } from "./legend.js";
import { Player } from "./player.js";
import { createStage } from "./stage.js";
import { createTeller } from "./words.js";

const root = document.getElementById("example");
const { board: address, film: told, notes } = JSON.parse(document.getElementById("example-setup").textContent);
const board = await import(address);
const film = decode(told);
const player = new Player(film.frames);
const teller = createTeller(film, []);
const note = html("p", { class: "note", "aria-live": "polite" });

player.listen(() => {
  const { moves } = player.frame;
  const made = Object.keys(notes).map(Number).filter((at) => at <= moves);
  note.textContent = notes[Math.max(...made)];
});
root.replaceChildren(
  html(
    "div", { class: "front" },
    createStage(board, film, player),
    note,
    createControls({ player, film, teller, showKeys: () => {}, fullScreen: () => {} }),
  ),
  createLegend(board),
);
player.goToStep(0);
root.dataset.ready = "";
