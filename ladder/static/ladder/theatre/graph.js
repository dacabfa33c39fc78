// The points over time, one line per seat; a click or a drag goes there.

import { html, svg } from "./dom.js";
import { next } from "./marks.js";

const WIDTH = 320;
const HEIGHT = 96;
const EDGE = 6;

export function createGraph({ player, film, marks }) {
  const points = player.frames.map((frame) => frame.view.points);
  const all = points.flat();
  const [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
  const x = (index) => EDGE + ((WIDTH - 2 * EDGE) * index) / Math.max(1, player.last);
  const y = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / (high - low);
  const cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });

  function line(seat) {
    const corners = points.map((now, index) => {
      const level = y(now[seat]);
      return index ? `H${x(index).toFixed(1)}V${level.toFixed(1)}` : `M${x(0)},${level}`;
    });
    return svg("path", { d: corners.join(""), class: `curve seat${film.sides[seat]}` });
  }

  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": `${film.points_name} of each seat over time`,
    },
    svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }),
    film.names.map((_, seat) => line(seat)),
    marks.turns.map((at) => svg("line", { class: "turn", x1: x(at), x2: x(at), y1: 0, y2: 7 })),
    marks.mistakes.map((at) => (
      svg("line", { class: "mistake", x1: x(at), x2: x(at), y1: HEIGHT - 7, y2: HEIGHT })
    )),
    cursor,
  );

  function go(event) {
    const box = drawing.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDTH - EDGE;
    player.jump(Math.round((share / (WIDTH - 2 * EDGE)) * player.last));
  }
  drawing.addEventListener("pointerdown", (event) => {
    drawing.setPointerCapture(event.pointerId);
    go(event);
  });
  drawing.addEventListener("pointermove", (event) => {
    if (event.buttons) go(event);
  });
  player.listen(() => {
    cursor.setAttribute("x1", x(player.index));
    cursor.setAttribute("x2", x(player.index));
  });
  const caption = film.points_name.charAt(0).toUpperCase() + film.points_name.slice(1);
  return html(
    "figure", { class: "graph" },
    html("figcaption", {}, caption, html("span", { class: "range" }, `${low} to ${high}`)),
    drawing,
    html(
      "p", { class: "jumps" },
      jumper(player, marks.mistakes, "Next mistake", "a fault, or a move played for a bot after it"),
      jumper(player, marks.turns, "Turning point", "another side takes the lead"),
    ),
  );
}

function jumper(player, marks, label, meaning) {
  if (!marks.length) return null;
  return html(
    "button",
    {
      type: "button", class: "button slight", title: `${marks.length}: ${meaning}`,
      onclick: () => player.jump(next(marks, player.index)),
    },
    `${label} (${marks.length})`,
  );
}
