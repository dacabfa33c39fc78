// The points over time, one line per seat; a click or a drag goes there, a pointer above reads values.

import { html, svg } from "./dom.js";
import { next } from "./marks.js";

const WIDTH = 320;
const HEIGHT = 96;
const EDGE = 6;

// The chips of the seats are its legend: they have the colours, and `seats.show` puts values there.
export function createGraph({ player, film, marks, seats }) {
  let drawn = null; // the frames it shows
  let steps = []; // one per move
  let points = [];
  let last = 1;
  let [low, high] = [0, 1];
  const x = (move) => EDGE + ((WIDTH - 2 * EDGE) * move) / last;
  const y = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * (value - low)) / (high - low);
  const at = (step) => x(steps.findIndex((frame) => frame.step === step));
  const cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  const ruler = svg("line", { class: "ruler", y1: 0, y2: HEIGHT });
  const when = html("span", { class: "range" });
  const sides = [...new Set(film.sides)]; // a team shares a line

  function line(side) {
    const seat = film.sides.indexOf(side);
    const corners = points.map((now, move) => {
      const level = y(now[seat]);
      return move ? `H${x(move).toFixed(1)}V${level.toFixed(1)}` : `M${x(0)},${level}`;
    });
    return svg("path", { d: corners.join(""), class: `curve seat${side}` });
  }

  const drawing = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
      "aria-label": `${film.points_name} of each seat over time`,
    },
  );
  const jumps = html("p", { class: "jumps" });

  // A play under way is redrawn as it grows.
  function draw() {
    drawn = film.frames;
    steps = drawn.filter((frame) => !frame.beat);
    last = Math.max(1, steps.length - 1);
    points = steps.map((frame) => frame.view.points);
    const all = points.flat();
    [low, high] = [Math.min(0, ...all), Math.max(1, ...all)];
    drawing.replaceChildren(
      svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: y(0), y2: y(0) }),
      ...sides.map(line),
      ...marks.turns.map((step) => svg("line", { class: "turn", x1: at(step), x2: at(step), y1: 0, y2: 7 })),
      ...marks.mistakes.map((step) => (
        svg("line", { class: "mistake", x1: at(step), x2: at(step), y1: HEIGHT - 7, y2: HEIGHT })
      )),
      cursor, ruler,
    );
    jumps.replaceChildren(...[
      jumper(player, marks.mistakes, "Next mistake", "a fault, or a move played for a bot after it"),
      jumper(player, marks.turns, "Turning point", "another side takes the lead"),
    ].filter(Boolean));
  }

  // The move below a pointer.
  function under(event) {
    const box = drawing.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDTH - EDGE;
    return Math.max(0, Math.min(last, Math.round((share / (WIDTH - 2 * EDGE)) * last)));
  }

  function read(move) {
    seats.show(points[move]);
    when.textContent = `after move ${steps[move].moves}`;
    ruler.setAttribute("x1", x(move));
    ruler.setAttribute("x2", x(move));
  }

  const go = (event) => player.jumpToStep(steps[under(event)].step);
  drawing.addEventListener("pointerdown", (event) => {
    drawing.setPointerCapture(event.pointerId);
    go(event);
  });
  drawing.addEventListener("pointermove", (event) => {
    read(under(event));
    if (event.buttons) go(event);
  });
  drawing.addEventListener("pointerleave", () => {
    read(player.frame.moves);
    seats.show(seats.now());
  });
  player.listen(() => {
    if (drawn !== film.frames) draw();
    const { moves } = player.frame;
    cursor.setAttribute("x1", x(moves));
    cursor.setAttribute("x2", x(moves));
    read(moves);
    seats.show(seats.now());
  });

  const caption = film.points_name.charAt(0).toUpperCase() + film.points_name.slice(1);
  return html(
    "figure", { class: "graph" },
    html("figcaption", {}, caption, when),
    drawing,
    jumps,
  );
}

function jumper(player, marks, label, meaning) {
  if (!marks.length) return null;
  return html(
    "button",
    {
      type: "button", class: "button slight", title: `${marks.length}: ${meaning}`,
      onclick: () => player.jumpToStep(next(marks, player.frame.step)),
    },
    `${label} (${marks.length})`,
  );
}
