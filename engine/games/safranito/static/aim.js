// Aiming a throw: dragged on the board from your own edge, or set by sliders and so by keys.
//
// A throw reads `t30 u-60 >200,320 r300.5`: the disc, the launch point along the edge, where it is
// aimed, and how far it would slide. A drag ends where the disc should come to rest.

const C = "b-safranito-";
const FAR = 900; // the longest reach
const LINE = { S: [[200, 20], [1, 0]], W: [[20, 200], [0, -1]], N: [[200, 380], [-1, 0]], E: [[380, 200], [0, 1]] };
const AHEAD = { S: 90, W: 0, N: -90, E: 180 }; // degrees

export function createAim({ h, html, table, asked, view, place, spin, choose, keep }) {
  const { ranges, seat } = asked;
  const edge = view.edges[seat];
  const [middle, along] = LINE[edge];
  const shape = h("g", { class: `${C}aim` });
  const now = { token: ranges.tokens.at(-1), u: free(0), angle: AHEAD[edge], reach: 200 };
  let dragging = false;

  const start = (u) => [middle[0] + along[0] * u, middle[1] + along[1] * u];
  const way = (angle) => [Math.cos(angle * Math.PI / 180), Math.sin(angle * Math.PI / 180)];

  // The launch point nearest to this one that no disc lies on.
  function free(u) {
    const near = ranges.u.map(([low, high]) => Math.max(low, Math.min(high, Math.round(u))));
    return near.reduce((best, one) => (Math.abs(one - u) < Math.abs(best - u) ? one : best));
  }

  // A point of the ray that lies on the board, however far the throw goes.
  function target() {
    const [x, y] = start(now.u);
    const [dx, dy] = way(now.angle);
    const room = (from, by, [low, high]) => (by > 1e-9 ? (high - from) / by : by < -1e-9 ? (low - from) / by : FAR);
    const far = Math.max(0, Math.min(now.reach, room(x, dx, ranges.aim_x), room(y, dy, ranges.aim_y)));
    const at = (from, by, [low, high]) => Math.max(low, Math.min(high, from + by * far));
    return [at(x, dx, ranges.aim_x), at(y, dy, ranges.aim_y)];
  }

  const decimal = (number) => String(Number(number.toFixed(3)));

  function notation() {
    const [x, y] = target();
    return `t${now.token} u${now.u} >${decimal(x)},${decimal(y)} r${decimal(now.reach)}`;
  }

  function draw() {
    const { x: left, y: top } = place();
    const [x, y] = start(now.u);
    const [dx, dy] = way(now.angle);
    const at = (...point) => {
      const [px, py] = spin.to(point);
      return { cx: left + px, cy: top + 400 - py };
    };
    const [from, to] = [at(x, y), at(x + dx * now.reach, y + dy * now.reach)];
    shape.replaceChildren(
      h("circle", { ...from, r: 30, class: `${C}aim-grip` }), // what a thumb takes hold of
      h("line", { x1: from.cx, y1: from.cy, x2: to.cx, y2: to.cy, class: `${C}aim-line` }),
      h("circle", { ...from, r: 20, class: `${C}aim-disc ${C}seat${seat}` }),
      h("text", { x: from.cx, y: from.cy + 5, class: `${C}value`, "text-anchor": "middle" }, String(now.token)),
      h("circle", { ...to, r: 20, class: `${C}aim-rest` }),
    );
    if (table.lastChild !== shape) table.append(shape);
  }

  // Where a pointer is, in millimetres of the board.
  function under(event) {
    const { x: left, y: top } = place();
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(table.getScreenCTM().inverse());
    return spin.back([point.x - left, 400 - (point.y - top)]);
  }

  function towards(point) {
    const [px, py] = point;
    const [x, y] = start(now.u);
    now.angle = Math.atan2(py - y, px - x) * 180 / Math.PI;
    now.reach = Math.max(1, Math.min(FAR, Math.hypot(px - x, py - y)));
    show();
  }

  function down(event) {
    const [px, py] = under(event);
    const off = Math.abs((px - middle[0]) * along[1] - (py - middle[1]) * along[0]);
    if (off > 60) return; // a throw begins at your own edge
    event.preventDefault();
    dragging = true;
    table.setPointerCapture(event.pointerId);
    now.u = free((px - middle[0]) * along[0] + (py - middle[1]) * along[1]);
    towards([px, py]);
  }

  function move(event) {
    if (dragging) towards(under(event));
  }

  function up(event) {
    if (!dragging) return;
    dragging = false;
    towards(under(event));
    if (now.reach > 30) choose(notation()); // a touch alone is no throw
  }

  const slider = (name, words, low, high) => {
    const told = html("output", {});
    const input = html("input", {
      type: "range", min: low, max: high, step: 1, oninput: () => set(name, Number(input.value)),
    });
    return { input, told, label: html("label", {}, words, input, told) };
  };
  const sliders = {
    u: slider("u", "From", -180, 180), turn: slider("turn", "Direction", -85, 85), reach: slider("reach", "Strength", 1, FAR),
  };
  const tokens = ranges.tokens.map((token) => html("label", {}, html("input", {
    type: "radio", name: "token", value: token, checked: token === now.token, onchange: () => { now.token = token; show(); },
  }), String(token)));

  // For a small screen: which disc, as buttons, and the throw as it is drawn.
  const discs = ranges.tokens.map((token) => html("button", {
    type: "button", class: "button", value: token, onclick: () => { now.token = token; show(); },
  }, String(token)));
  const tray = html(
    "div", { class: "tray-aim" },
    html("div", { class: "tray-discs", role: "group", "aria-label": "Disc" }, discs),
    html("button", { type: "button", class: "button main", onclick: () => choose(notation()) }, "Throw"),
  );

  function set(name, value) {
    if (name === "u") now.u = free(value);
    else if (name === "turn") now.angle = AHEAD[edge] - value;
    else now.reach = value;
    show();
  }

  function show() {
    const turn = ((AHEAD[edge] - now.angle + 540) % 360) - 180;
    const values = { u: now.u, turn: Math.round(turn), reach: Math.round(now.reach) };
    const units = { u: " mm", turn: "°", reach: " mm" };
    for (const [name, { input, told }] of Object.entries(sliders)) {
      input.value = String(values[name]);
      told.textContent = `${values[name]}${units[name]}`;
    }
    for (const label of tokens) {
      const input = label.querySelector("input");
      input.checked = Number(input.value) === now.token;
    }
    for (const button of discs) button.setAttribute("aria-pressed", String(Number(button.value) === now.token));
    keep((action) => action.startsWith(`t${now.token} `));
    draw();
  }

  const form = html(
    "form", { class: "aim-form", onsubmit: (event) => { event.preventDefault(); choose(notation()); } },
    html("fieldset", {}, html("legend", {}, "Disc"), tokens),
    html("fieldset", { class: "sliders" }, html("legend", {}, "Aim"), Object.values(sliders).map(({ label }) => label)),
    html("p", { class: "actions" }, html("button", { class: "button main" }, "Throw")),
  );
  // The stage redraws the board whenever it likes.
  const watching = new MutationObserver(() => { if (!shape.isConnected) draw(); });
  const listeners = { pointerdown: down, pointermove: move, pointerup: up, pointercancel: () => { dragging = false; } };

  return {
    form,
    tray,
    begin() {
      for (const [name, listener] of Object.entries(listeners)) table.addEventListener(name, listener);
      table.classList.add(`${C}aiming`);
      watching.observe(table, { childList: true });
      show();
    },
    // A throw in notation, put on the board to look at.
    suggest(action) {
      const read = /^t(\d+) u(-?\d+) >([\d.]+),([\d.]+) r([\d.]+)$/.exec(action);
      if (!read) return;
      const [token, u, x, y, reach] = read.slice(1).map(Number);
      Object.assign(now, { token, u });
      towards([x, y]);
      now.reach = reach;
      show();
    },
    stop() {
      for (const [name, listener] of Object.entries(listeners)) table.removeEventListener(name, listener);
      table.classList.remove(`${C}aiming`);
      watching.disconnect();
      shape.remove();
    },
  };
}
