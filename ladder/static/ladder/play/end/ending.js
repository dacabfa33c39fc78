// After the last move: what came of it, and what can be done with it.

import { html } from "../../theatre/dom.js";
import { createDeciding } from "./deciding.js";
import { outcome } from "./record.js";
import { createSharing } from "./sharing.js";

const VERIFY = "/api/v1/verify/";

/** @param {{film: any, me: number | null, words: string, record: string, results: any[], act: any, replay: () => Promise<Uint8Array<ArrayBuffer>>, study: any, frames: any[], keep: any, share: any}} given */
export function createEnding({ film, me, words, record, results, act, replay, study, frames, keep, share }) {
  const verdict = html("p", { class: "verdict", role: "status" });
  const deciding = study && createDeciding({ study, film, frames, me, show: (step) => act.watch({ step }) });

  async function verify() {
    verdict.textContent = "Replaying it on the server …";
    try {
      const response = await fetch(VERIFY, {
        method: "POST", credentials: "omit", headers: { "Content-Type": "application/gzip" }, body: await replay(),
      });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const told = await response.json();
      verdict.textContent = told.ok
        ? `Verified: ${told.steps} moves, and the luck matches the seed. Digest ${told.digest.slice(0, 16)}…`
        : `Verification failed: ${told.problem}`;
    } catch (error) {
      verdict.textContent = `The server could not be asked: ${error.message}. The file can be checked with “ladle verify”.`;
    }
  }

  async function download() {
    const address = URL.createObjectURL(new Blob([await replay()], { type: "application/gzip" }));
    html("a", { href: address, download: "ladle-play.json.gz" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  const button = (label, does, more = "", rest = {}) => (
    html("button", { type: "button", class: `button ${more}`, onclick: () => does(), ...rest }, label)
  );
  const toShare = (keep || share) && createSharing({ keep, share, replay, say: (...told) => verdict.replaceChildren(...told) });
  const top = html(
    "section", { class: `ending ${me === null ? "" : outcome(film.result, film.sides, me)}`, "aria-label": "The end" },
    html("p", { class: "result", tabindex: "-1" }, headline(film, me)),
    html("p", { class: "how" }, words),
    record ? html("p", { class: "record quiet" }, record) : null,
    html(
      "p", { class: "actions" },
      button(["Rematch ", html("kbd", {}, "R")], act.newDeal, "main", { "aria-keyshortcuts": "r", "aria-label": "Rematch" }),
      toShare ? button(keep ? "Save to my profile" : "Share this game", toShare) : null,
      button("Watch it again", act.watch),
    ),
    verdict,
  );
  const rest = html(
    "div", { class: "ending" },
    deciding?.box ?? null,
    results.length > 1 ? comparison(results) : null,
    html(
      "p", { class: "actions" },
      act.analyse ? button("Analyse this play", act.analyse) : null, button("Download the replay", download), button("Verify on the server", verify),
      button("Same deal again", act.again),
      act.rotate ? button("Change seats, same deal", act.rotate) : null,
      button("Change players", act.other),
    ),
  );
  return { top, rest, refresh: () => deciding?.refresh() };
}

/** Who won, in a few words: "You win 31–10". */
export function headline({ result: { places, points }, names, sides, points_name }, me) {
  const called = (seat) => (seat === me ? "You" : names[seat]);
  const first = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
  const score = points[first[0]];
  const unit = score === 1 ? points_name.replace(/s$/, "") : points_name;
  const teams = new Set(sides).size;
  // You first, then the others.
  const who = first.toSorted((a, b) => Number(b === me) - Number(a === me)).map(called).join(" and ");
  const many = first.length > 1 || first[0] === me;
  if (teams === 1) return `${who} finish${many ? "" : "es"} with ${score} ${unit}`;
  if (new Set(first.map((seat) => sides[seat])).size > 1) return `${who} share first place with ${score} ${unit}`;
  const next = Math.max(...points.filter((_, seat) => places[seat] !== 1));
  const how = next === score ? "on the tie-break" : teams === 2 ? `${score}–${next}` : `with ${score} ${unit}`;
  return `${who} win${many ? "" : "s"} ${how}`;
}

/** The plays on one deal, side by side: who sat where, and what they got out of the same luck. */
function comparison(results) {
  const names = [...new Set(results.flatMap(({ seats }) => seats))];
  const cell = ({ seats, points }, name) => seats
    .flatMap((one, seat) => (one === name ? [`${points[seat]} (seat ${seat + 1})`] : [])).join(", ");
  return html(
    "div", { class: "table-scroll" },
    html(
      "table", { class: "comparison" },
      html("caption", {}, "The same deal, so far"),
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, "Play"), names.map((name) => html("th", { scope: "col" }, name)))),
      html("tbody", {}, results.map((one, at) => html(
        "tr", {}, html("th", { scope: "row" }, String(at + 1)), names.map((name) => html("td", {}, cell(one, name))),
      ))),
    ),
  );
}
