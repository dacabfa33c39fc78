// The play that was just made, watched as any other is, and judged where it was played.

import { decode } from "../../theatre/decode.js";
import { html } from "../../theatre/dom.js";
import { openHouse } from "../../theatre/house.js";
import { passOver } from "../analyser.js";

/** Show it from its beginning or at a step, with its analysis or without. `back` is called after the result is shown again. */
export async function watchAgain(root, { board, ask, study, playOn, back, analysed = false, step = 0 }) {
  const load = async (viewer) => decode(await ask("film", viewer));
  const film = await load(null);
  const done = [...root.childNodes];
  const leave = () => { player.stop(); root.replaceChildren(...done); back(); };
  const about = html("p", { class: "actions" }, html("button", { type: "button", class: "button", onclick: leave }, "Back to the result"));
  const player = openHouse(root, {
    board, film, load, about, analyse: study ? study.begin : null,
    setup: { links: [], faults: [], file: "ladle-play.json.gz", play_on: (at, seat) => { player.stop(); playOn(at, seat); } },
  });
  root.querySelector(".panel-score").prepend(about);
  player.goToStep(step);
  if (!analysed) return;
  for (const button of root.querySelectorAll(".tab-analysis, .analysis .main")) /** @type {HTMLElement} */ (button).click();
}

/** What the decisions of a play were worth. `known` is the last analysis of it that there was. */
export class Study {
  constructor(tab, ask) {
    this.tab = tab;
    this.ask = ask;
    this.known = null;
  }

  begin = async () => {
    const file = await this.ask("replay");
    return (budget) => this.#remembered(passOver(this.tab, file, budget));
  };

  async* run() {
    yield* (await this.begin())("quick");
  }

  async* #remembered(pass) {
    for await (const told of pass) {
      this.known = told.analysis ?? this.known;
      yield told;
    }
  }
}
