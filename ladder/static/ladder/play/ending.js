// After the last move: what came of it, and what can be done with it.

import { html } from "../theatre/dom.js";

const VERIFY = "/api/v1/verify/";

export function createEnding({ words, results, act, replay, keep }) {
  const verdict = html("p", { class: "verdict", role: "status" });

  async function verify() {
    verdict.textContent = "Replaying it on the server …";
    try {
      const response = await fetch(VERIFY, {
        method: "POST", credentials: "omit", headers: { "Content-Type": "application/gzip" }, body: await replay(),
      });
      if (!response.ok) throw new Error(`the server answers ${response.status}`);
      const told = await response.json();
      verdict.textContent = told.ok
        ? `Verified: ${told.steps} moves, and the luck matches the seed. Digest ${told.digest.slice(0, 16)}…`
        : `The server does not agree: ${told.problem}`;
    } catch (error) {
      verdict.textContent = `The server could not be asked: ${error.message}. The file can be checked with “ladle verify”.`;
    }
  }

  async function keepIt() {
    verdict.textContent = "Keeping it …";
    try {
      const response = await fetch(keep.address, {
        method: "POST", headers: { "Content-Type": "application/gzip", "X-CSRFToken": keep.token }, body: await replay(),
      });
      const isOurs = response.headers.get("Content-Type")?.startsWith("application/json");
      if (!isOurs) throw new Error("you have signed in or out meanwhile. Download the replay, then reload this page.");
      const { page, problem } = await response.json();
      if (!page) throw new Error(problem);
      verdict.replaceChildren("Saved to your profile. ", html("a", { href: page }, "Share this link"), ".");
    } catch (error) {
      verdict.textContent = `It could not be kept: ${error.message}`;
    }
  }

  async function download() {
    const address = URL.createObjectURL(new Blob([await replay()], { type: "application/gzip" }));
    html("a", { href: address, download: "ladle-play.json.gz" }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  const button = (label, does, more = "") => (
    html("button", { type: "button", class: `button ${more}`, onclick: does }, label)
  );
  return html(
    "section", { class: "ending", "aria-label": "The end" },
    html("p", { class: "result", tabindex: "-1" }, words),
    results.length > 1 ? comparison(results) : null,
    html(
      "p", { class: "actions" },
      button("Watch it again", act.watch, "main"), act.analyse ? button("Analyse this play", act.analyse) : null, button("Download the replay", download), button("Verify on the server", verify),
      keep ? button("Keep it on my page", keepIt) : null,
    ),
    verdict,
    html(
      "p", { class: "actions" },
      button("New deal", act.newDeal), button("Same deal again", act.again),
      results[0].seats.length > 1 ? button("Change seats, same deal", act.rotate) : null,
      button("Change players", act.other),
    ),
  );
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
