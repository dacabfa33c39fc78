// "Save as film": a range of moves as a video or a GIF, made in this tab.

import { html } from "../theatre/dom.js";
import { createCamera } from "./camera.js";
import { makeGif } from "./gif.js";
import { canMakeVideo, makeVideo } from "./video.js";

const SECONDS = { 2: "slow", 1: "normal", 0.5: "fast" };

export function createFilming({ player, film, board, teller }) {
  const from = number("From move", 0);
  const to = number("to move", film.moves);
  const kind = select("Format", canMakeVideo() ? { video: "Video", gif: "GIF" } : { gif: "GIF" });
  const pace = select("Speed", SECONDS, "1");
  const save = html("button", { type: "button", class: "button", onclick: start }, "Save as film");
  const cancel = html("button", { type: "button", class: "button slight", hidden: true, onclick: () => stopping?.abort() }, "Cancel");
  const bar = /** @type {HTMLProgressElement} */ (html("progress", { max: 1, value: 0, hidden: true, "aria-label": "Making the film" }));
  const said = html("p", { role: "status", class: "quiet small" });
  let stopping = null;

  async function start() {
    const frames = chosen();
    if (!frames.length) {
      said.textContent = "Choose a first move that is not after the last one.";
      return;
    }
    stopping = new AbortController();
    working(true);
    try {
      const camera = await createCamera({ board, film, teller, frames, isSmall: kind.value === "gif" });
      const progress = (share) => { bar.value = share; };
      const make = kind.value === "gif" ? makeGif : makeVideo;
      const made = await make({ camera, frames, seconds: Number(pace.value), progress, signal: stopping.signal });
      offer(made, frames);
    } catch (error) {
      said.textContent = stopping.signal.aborted ? "Cancelled." : `The film could not be made: ${error.message}.`;
    } finally {
      working(false);
    }
  }

  // One picture for each move and each thing that is said of it.
  function chosen() {
    const [first, last] = [Number(from.value), Number(to.value)];
    return player.frames.filter(({ moves }) => moves >= first && moves <= last);
  }

  function working(is) {
    save.hidden = is;
    cancel.hidden = !is;
    bar.hidden = !is;
    bar.value = 0;
  }

  function offer({ blob, ending }, frames) {
    const name = `ladle-${film.game}-${frames[0].moves}-${frames.at(-1).moves}.${ending}`;
    const address = URL.createObjectURL(blob);
    const link = html("a", { href: address, download: name, class: "film-link" }, name);
    said.replaceChildren("Saved: ", link, ` (${Math.max(1, Math.round(blob.size / 1024))} kB, ${frames.length} pictures)`);
    link.click();
  }

  return html(
    "fieldset", { class: "filming" }, html("legend", {}, "Film"),
    html("div", { class: "film-fields" }, from.parentNode, to.parentNode, kind.parentNode, pace.parentNode),
    html("p", { class: "actions" }, save, cancel, bar), said,
  );

  function number(name, value) {
    const input = /** @type {HTMLInputElement} */ (html("input", { type: "number", min: 0, max: film.moves, value }));
    html("label", {}, name, input);
    return input;
  }
}

function select(name, choices, chosen = "") {
  const input = /** @type {HTMLSelectElement} */ (html("select", {}, Object.entries(choices).map(([value, words]) => html("option", { value, selected: value === chosen }, words))));
  html("label", {}, name, input);
  return input;
}
