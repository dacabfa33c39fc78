// What each side may expect over time, with a band of two standard errors; a click goes there.
// `read` follows the player.

import { html, svg } from "./dom.js";

const WIDTH = 320;
const HEIGHT = 120;
const EDGE = 6;
const WHOLE = 10_000;

export function createExpectation({ player, film, analysis: { curve, decisions } }) {
  const x = (at) => EDGE + ((WIDTH - 2 * EDGE) * at) / Math.max(1, curve.length - 1);
  const y = (value) => HEIGHT - EDGE - ((HEIGHT - 2 * EDGE) * Math.max(0, Math.min(WHOLE, value))) / WHOLE;
  const sides = [...new Set(film.sides)]; // a team shares a line
  const shown = sides.length === 2 ? sides.slice(0, 1) : sides; // of two, one says all
  const place = (at, value) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`;
  const index = new Map(curve.map(({ step }, at) => [step, at]));

  function band(side) {
    const seat = film.sides.indexOf(side);
    const edge = (by) => curve.map(({ expected, errors }, at) => place(at, expected[seat] + by * errors[seat]));
    return svg("path", { d: `M${edge(2).join("L")}L${edge(-2).toReversed().join("L")}Z`, class: `band seat${side}` });
  }

  function line(side) {
    const seat = film.sides.indexOf(side);
    return svg("path", { d: `M${curve.map(({ expected }, at) => place(at, expected[seat])).join("L")}`, class: `curve seat${side}` });
  }

  function dot({ step, seat, mark }) {
    const at = index.get(step);
    const side = shown.includes(film.sides[seat]) ? film.sides[seat] : shown[0];
    const level = curve[at].expected[film.sides.indexOf(side)];
    return svg("circle", { cx: x(at), cy: y(level), r: mark === "slip" ? 2.5 : 4, class: `dot ${mark}` });
  }

  const cursor = svg("line", { class: "cursor", y1: 0, y2: HEIGHT });
  const when = html("span", { class: "range" });
  const drawing = svg(
    "svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": "Expected result of each side over time, from 0 to 100 points" },
    svg("line", { class: "zero", x1: 0, x2: WIDTH, y1: y(WHOLE / 2), y2: y(WHOLE / 2) }),
    ...shown.map(band), ...shown.map(line), ...decisions.filter(({ mark }) => mark).map(dot), cursor,
  );

  const under = ({ clientX }) => {
    const { left, width } = drawing.getBoundingClientRect();
    const share = (((clientX - left) / width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    return Math.max(0, Math.min(curve.length - 1, Math.round(share * (curve.length - 1))));
  };
  const go = (event) => player.jumpToStep(curve[under(event)].step);
  drawing.addEventListener("pointerdown", (event) => {
    drawing.setPointerCapture(event.pointerId);
    go(event);
  });
  drawing.addEventListener("pointermove", (event) => { if (event.buttons) go(event); });

  function read() {
    const at = Math.max(0, curve.findLastIndex(({ step }) => step <= player.frame.step));
    cursor.setAttribute("x1", x(at));
    cursor.setAttribute("x2", x(at));
    const { expected } = curve[at];
    when.textContent = sides.map((side) => {
      const seat = film.sides.indexOf(side);
      return `${film.names[seat]} ${(expected[seat] / 100).toFixed(1)}`;
    }).join(", ");
  }
  return { read, figure: html("figure", { class: "graph expectation" }, html("figcaption", {}, "Expected share", when), drawing) };
}
