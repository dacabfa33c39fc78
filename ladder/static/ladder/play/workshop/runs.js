// The plays of this visit, newest first: each can be opened again, or its deal played again.

import { html } from "../../theatre/dom.js";

const MOST = 20; // a film is some hundred kilobytes

const ORDINALS = { one: "st", two: "nd", few: "rd", other: "th" };
const rules = new Intl.PluralRules("en", { type: "ordinal" });
const ordinal = (number) => `${number}${ORDINALS[rules.select(number)]}`;

function outcome({ faults, rival_fault, result }, seats) {
  if (faults.length) return ["failed", "problem"];
  if (rival_fault) return ["opponent failed", ""];
  if (seats === 1) return [`${result.points[0]} points`, ""];
  if (result.place === 1) return result.is_shared ? ["drawn", ""] : ["won", "won"];
  return [seats === 2 ? "lost" : `${ordinal(result.place)} of ${seats}`, ""];
}

/** @param {{open: (run: any) => void, repeat: (seed: number) => void}} given */
export function createRuns({ open, repeat }) {
  const runs = [];
  let shown = null;
  const list = html("ol", { class: "run-list" });
  const words = html("p", { class: "quiet small" });
  const host = html("details", { class: "runs", open: true, hidden: true }, html("summary", {}, "Runs of this visit"), list, words);

  function row(run) {
    const [result, kind] = outcome(run.played, run.seats);
    return html(
      "li", {},
      html(
        "button", { type: "button", class: "run", "aria-current": run === shown ? "true" : null, onclick: () => show(run) },
        html("strong", { class: kind }, result), ` against ${run.rival}, seed ${run.seed}, ${run.played.result.steps} steps`,
      ),
      html("button", { type: "button", class: "link small", onclick: () => repeat(run.seed) }, "Use this seed"),
    );
  }

  function draw() {
    host.hidden = !runs.length;
    list.replaceChildren(...runs.map(row));
    words.textContent = `${runs.length} of ${MOST} runs kept until you leave the page.`;
  }

  function show(run) {
    shown = run;
    draw();
    open(run);
  }

  return {
    host,
    add(run) {
      runs.unshift(run);
      runs.splice(MOST);
      show(run);
    },
  };
}
