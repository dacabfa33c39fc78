// The list of moves in words, grouped by turn, with the CPU time of each decision; the notation that
// bots write stands below each on demand.

import { html } from "./dom.js";
import { cpuTime } from "./words.js";

export function createMoves({ player, film, teller, judged = null }) {
  const box = html("div", { class: "moves", tabindex: "0", role: "region", "aria-label": "Moves" });
  const notation = html("input", {
    type: "checkbox", onchange: () => box.classList.toggle("with-notation", notation.checked),
  });
  let rows = []; // by frame: the beats of a step share a row
  let current = null;

  function row(frame, index) {
    const { entry } = frame;
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
        html("span", { class: "move" }, entry ? teller.move(frame) : "the table is set"), auto, judged?.badge(frame.step),
        html("span", { class: "cpu" }, cpuTime(frame.cpu_us)),
        entry?.action ? html("code", { class: "notation" }, entry.action) : null,
      ),
    );
  }

  function fill() {
    const children = [];
    let round = null;
    let seat = null;
    let turn = null;
    rows = [];
    player.frames.forEach((frame, index) => {
      const { entry } = frame;
      if (frame.beat) {
        rows.push(rows.at(-1));
        return;
      }
      if (entry && frame.round !== round) {
        children.push(html("h3", {}, frame.round));
        round = frame.round;
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
      rows.push(one.firstChild);
    });
    if (film.result) children.push(html("p", { class: "result" }, teller.result()));
    const { scrollTop } = box;
    box.replaceChildren(...children);
    box.scrollTop = scrollTop; // a play under way grows below what is read
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
  judged?.listen(() => {
    fill();
    show();
  });
  return [html("label", { class: "notation-choice" }, notation, " Notation"), box];
}
