// Which move turned the play that is over: from an analysis that there is, or from a quick one now.

import { html } from "../../theatre/dom.js";
import { swings } from "../../theatre/marks.js";

const share = (hundredths) => Math.round(hundredths / 100);

/** @param {{study: {known: any, run: () => AsyncIterable<any>}, film: any, frames: any[], me: number | null, show: (step: number) => void}} given */
export function createDeciding({ study, film, frames, me, show }) {
  const box = html("div", { class: "deciding" });

  function tell(analysis) {
    const [turn] = swings(analysis);
    if (!turn) return box.replaceChildren(html("p", {}, "No single move turned this game."));
    const frame = frames.find(({ step }) => step >= turn.step);
    const seat = me ?? 0;
    const whose = me === null ? `${film.names[0]}'s` : "Your";
    box.replaceChildren(
      html("p", {}, html("b", {}, "Turning point: "), `move ${frame.moves}. ${frame.told.join(". ")}. ${whose} expected result went from ${share(turn.before[seat])} to ${share(turn.after[seat])} of 100. `),
      html("p", {}, html("button", { type: "button", class: "button slight", onclick: () => show(turn.step) }, "Show it on the board")),
    );
  }

  async function find() {
    const bar = html("progress", { max: 1, value: 0, "aria-label": "Analysis" });
    box.replaceChildren(html("p", {}, "Looking for the turning point … ", bar));
    try {
      for await (const { done, total, analysis } of study.run()) {
        bar.value = done / total;
        if (analysis) tell(analysis);
      }
    } catch (error) {
      box.replaceChildren(html("p", { class: "problem", role: "alert" }, `The play could not be analysed: ${error.message}.`));
    }
  }

  /** Tell it, if it is known; offer to find it otherwise. */
  function refresh() {
    if (study.known) return tell(study.known);
    box.replaceChildren(html("p", {}, html("button", { type: "button", class: "button slight", onclick: find }, "Find the turning point")));
  }
  refresh();
  return { box, refresh };
}
