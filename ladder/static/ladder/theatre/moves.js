// The list of moves in notation, grouped by turn, with the CPU time of each decision.

import { html } from "./dom.js";
import { cpuTime } from "./words.js";

export function createMoves({ player, film, teller }) {
  const box = html("div", { class: "moves", tabindex: "0", role: "region", "aria-label": "Moves" });
  let rows = [];
  let current = null;

  function row(frame, index) {
    const { entry } = frame;
    const words = entry ? teller.move(frame) : "the table is set";
    const auto = entry?.auto ? html("span", { class: "auto" }, "autopilot") : null;
    // Only the current row can be reached with the tab key; arrows do the rest.
    return html(
      "li", {},
      html(
        "button",
        {
          type: "button", tabindex: "-1", class: entry?.fault || entry?.auto ? "bad" : null,
          onclick: () => player.jump(index),
        },
        html("span", { class: "move" }, words), auto,
        html("span", { class: "cpu" }, cpuTime(frame.cpu_us)),
      ),
    );
  }

  function fill() {
    const children = [];
    let round = null;
    let seat = null;
    let turn = null;
    rows = player.frames.map((frame, index) => {
      const { entry } = frame;
      // The move belongs to the round it was made in: that of the table before it.
      const view = player.frames[Math.max(0, index - 1)].view;
      const now = heading(view);
      if (entry && now !== round) {
        children.push(html("h3", {}, now));
        round = now;
        seat = null;
      }
      if (!turn || (entry && entry.seat !== seat)) {
        turn = html("ol", {});
        if (entry) {
          seat = entry.seat;
          children.push(html("p", { class: `who seat${film.sides[seat]}` }, teller.name(seat)));
        }
        children.push(turn);
      }
      const one = row(frame, index);
      turn.append(one);
      return one.firstChild;
    });
    if (film.result) children.push(html("p", { class: "result" }, teller.result()));
    box.replaceChildren(...children);
    current = null;
  }

  function show() {
    if (current) {
      current.removeAttribute("aria-current");
      current.tabIndex = -1;
    }
    current = rows[player.index];
    current.setAttribute("aria-current", "step");
    current.tabIndex = 0;
    // Only the list scrolls, never the page.
    const top = current.offsetTop;
    if (top < box.scrollTop || top + current.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - box.clientHeight / 2;
    }
  }

  let shown = null;
  player.listen(() => {
    if (shown !== player.frames) fill();
    shown = player.frames;
    show();
  });
  return box;
}

function heading(view) {
  if (view.round !== undefined) return `Round ${view.round}`;
  return view.deal === undefined ? null : `Deal ${view.deal}`;
}
