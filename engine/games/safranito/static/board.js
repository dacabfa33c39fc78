// Draws a table of Safranito: the board with its bowls and discs, the dishes, a card per seat.

import { createAim } from "./aim.js";
import { turned } from "./turned.js";

const C = "b-safranito-";
const SPICES = [
  "curry", "ginger", "cardamom", "chilli", "garlic", "mint", "cumin", "saffron", "cinnamon",
];
const BOWLS = SPICES.map((name, at) => ({
  name, x: 80 + 120 * (at % 3), y: 320 - 120 * Math.floor(at / 3),
}));
const SPACES = [
  { name: "extra throw", x: 140, y: 260, word: "+throw" },
  { name: "extra spice", x: 260, y: 260, word: "+spice" },
  { name: "reserve", x: 140, y: 140, word: "+dish" },
  { name: "chef", x: 260, y: 140, word: "chef" },
];
// Short names that differ, for small cards.
const CODES = {
  curry: "cu", ginger: "gi", cardamom: "cd", chilli: "ch", garlic: "ga", mint: "mi", cumin: "cm",
  saffron: "sa", cinnamon: "cn",
};
const SLOWING = 2500; // mm/s², as in the physics

export function viewBox(seats, narrow, me = null) {
  const { width, height } = layout(seats, narrow, me);
  return `0 0 ${width} ${height}`;
}

function layout(seats, narrow, me) {
  const plays = me !== null && me !== undefined;
  if (narrow) {
    // Whoever plays has a high card below flat ones; four of these have no room.
    const flat = plays && seats < 4;
    const seat = flat
      ? { x: 0, y: 542, width: 424, height: 44, own: 106, columns: 1 }
      : { x: 0, y: 542, width: 210, height: seats > 2 ? 92 : 112, columns: 2 };
    const below = flat ? (seats - 1) * (seat.height + 4) + seat.own + 4 : Math.ceil(seats / 2) * (seat.height + 4);
    return {
      width: 424, height: seat.y + below,
      board: { x: 12, y: 38 }, heading: { x: 6, y: 10 }, dishes: { x: 0, y: 454, width: 424 }, seat,
    };
  }
  // Whoever plays has a higher card than the others.
  const height = seats < 3 ? 112 : plays ? (seats < 4 ? 87 : 68) : Math.floor(364 / seats) - 4;
  const own = plays ? 364 - (seats - 1) * (height + 4) : height;
  const seat = { x: 432, y: 92, width: 268, height, own, columns: 1 };
  return {
    width: 704, height: 456,
    board: { x: 14, y: 42 }, heading: { x: 6, y: 12 }, dishes: { x: 432, y: 4, width: 268 }, seat,
  };
}

// Whoever plays looks at the board from behind the edge they throw from.
const spinOf = (view, me) => turned(me === null || me === undefined ? "S" : view.edges[me]);

// Whose card stands where: the seats in their order, and last the one of whoever plays.
const standing = (seat, seats, me) => (me === null ? seat : (seat - me - 1 + seats) % seats);

export function draw(h, frame, context) {
  const place = layout(context.seats, context.narrow, context.me);
  return [
    heading(h, frame, context, place),
    board(h, frame, context, place),
    dishes(h, frame, place),
    ...frame.view.money.map((_, seat) => seatCard(h, frame, context, place, seat)),
  ];
}

// Slides the discs along their true ways, then ends at the plain drawing.
export function animate(svg, before, after, h, context, milliseconds) {
  const slides = after.events.filter((event) => event.event === "slide" && event.path.length > 1);
  const end = () => svg.replaceChildren(...draw(h, after, context));
  if (!slides.length) {
    end();
    return { stop() {} };
  }
  const moved = new Set(slides.map((slide) => slide.disc));
  const still = before.view.discs.filter((_, disc) => !moved.has(disc));
  const view = { ...before.view, discs: still };
  const { board: at } = layout(context.seats, context.narrow, context.me);
  const spin = spinOf(before.view, context.me);
  const movers = slides.map((slide) => {
    const known = before.view.discs[slide.disc] ?? thrown(after, slide.seat);
    return { path: slide.path, node: disc(h, context, { ...known, x: 0, y: 0 }, 0, 0) };
  });
  const layer = h(
    "g", { transform: `translate(${at.x} ${at.y})` }, ...movers.map((mover) => mover.node),
  );
  svg.replaceChildren(...draw(h, { ...before, view, events: [] }, context), layer);
  const total = Math.max(...slides.map((slide) => slide.path.at(-1)[0]));
  let began = null;
  let request = null;
  const step = (now) => {
    began ??= now;
    const part = Math.min(1, (now - began) / Math.max(1, milliseconds));
    for (const { path, node } of movers) {
      const [x, y] = spin.to(placeAt(path, part * total));
      node.setAttribute("transform", `translate(${x} ${400 - y})`);
    }
    if (part < 1) request = requestAnimationFrame(step);
    else end();
  };
  step(performance.now());
  return {
    stop() {
      cancelAnimationFrame(request);
      end();
    },
  };
}

function thrown(frame, seat) {
  const open = frame.view.seat === null || frame.view.seat === seat;
  const value = open ? Number(/^t(\d+)/.exec(frame.entry?.action ?? "")?.[1]) || null : null;
  return { seat, value, shown: false };
}

// Where a disc is: between two corners it runs straight and slows evenly.
export function placeAt(path, time) {
  const next = path.findIndex((corner) => corner[0] > time);
  if (next === -1) return path.at(-1).slice(1);
  if (next === 0) return path[0].slice(1);
  const [[t0, x0, y0], [t1, x1, y1]] = [path[next - 1], path[next]];
  const whole = (t1 - t0) / 1000;
  const gone = (time - t0) / 1000;
  const length = Math.hypot(x1 - x0, y1 - y0);
  if (!length) return [x0, y0];
  const speed = length / whole + (SLOWING * whole) / 2;
  const part = Math.min(1, (speed * gone - (SLOWING * gone * gone) / 2) / length);
  return [x0 + (x1 - x0) * part, y0 + (y1 - y0) * part];
}

function text(h, x, y, className, words, more = {}) {
  return h("text", { x, y, class: C + className, ...more }, words);
}

const name = (context, seat, most = 18) => context.short(seat, most);

const ASKED = {
  throw: ["throws", "throw"], action: ["may use a space"], keep: ["keeps a card", "keep a card"],
  bowl: ["opens a bowl", "open a bowl"], sell: ["may sell"], buy: ["may buy"], cook: ["may cook"],
};

// Who decides, and what.
function asks(view, context) {
  const [ofAnother, ofYou = ofAnother] = ASKED[view.kind];
  return view.to_act === context.you ? `you ${ofYou}` : `${name(context, view.to_act)} ${ofAnother}`;
}

function heading(h, frame, context, place) {
  const { view } = frame;
  const asked = view.to_act === null ? "the game is over" : asks(view, context);
  return text(h, place.heading.x, place.heading.y + 8, "heading", `Round ${view.round}, ${asked}`);
}

function board(h, frame, context, place) {
  const { view, events } = frame;
  const spin = spinOf(view, context.me);
  const opened = new Set((events ?? []).flatMap((e) => [e.spice, e.space]).filter(Boolean));
  for (const now of [view.bowl, view.space]) if (now) opened.add(now);
  const seen = (one) => {
    const [x, y] = spin.to([one.x, one.y]);
    return { ...one, x, y: 400 - y };
  };
  return h(
    "g", { transform: `translate(${place.board.x} ${place.board.y})` },
    h("rect", { x: -12, y: -12, width: 424, height: 424, rx: 18, class: `${C}rim` }),
    h("rect", { x: 0, y: 0, width: 400, height: 400, rx: 6, class: `${C}felt` }),
    ...view.money.map((_, seat) => edge(h, view, context, seat, spin)),
    ...BOWLS.map((bowl) => bowlNode(h, view, seen(bowl), opened.has(bowl.name))),
    ...SPACES.map((space) => spaceNode(h, seen(space), opened.has(space.name))),
    ...(events ?? []).filter((e) => e.event === "slide").map((e) => trail(h, e, spin)),
    ...view.discs.map(seen).map((one) => disc(h, context, one, one.x, one.y)),
    // Above the discs, so that none hides what a bowl holds.
    ...BOWLS.map(seen).map((bowl) => text(h, bowl.x, bowl.y + 33, "label", bowl.name, { "text-anchor": "middle" })),
  );
}

function edge(h, view, context, seat, spin) {
  const side = spin.edge(view.edges[seat]);
  const box = {
    S: [60, 403, 280, 6], N: [60, -9, 280, 6], W: [-9, 60, 6, 280], E: [403, 60, 6, 280],
  }[side];
  const [x, y, width, height] = box;
  const active = view.to_act === seat ? ` ${C}active` : "";
  return h(
    "rect", { x, y, width, height, rx: 3, class: `${C}seat${seat}${active} ${C}edge` },
    h("title", {}, `the edge of ${context.names[seat]}`),
  );
}

function bowlNode(h, view, bowl, opened) {
  const cards = view.display[bowl.name] ?? 0;
  const { x, y } = bowl;
  return h(
    "g", { "data-pick": `bowl ${bowl.name}` },
    h("title", {}, `${bowl.name}: ${cards} on sale`),
    h("circle", { cx: x, cy: y, r: 50, class: `${C}bowl ${C}${bowl.name}${opened ? ` ${C}opened` : ""}` }),
    h("circle", { cx: x, cy: y, r: 42, class: `${C}inner` }),
    ...Array.from({ length: cards }, (_, at) => h("rect", {
      x: x - 6 * cards + 12 * at + 1, y: y - 39, width: 10, height: 14, rx: 2, class: `${C}card ${C}${bowl.name}`,
    })),
  );
}

function spaceNode(h, space, opened) {
  const { x, y } = space;
  return h(
    "g", { "data-pick": `space ${space.name}` },
    h("title", {}, space.name),
    h("circle", { cx: x, cy: y, r: 29, class: `${C}reach` }),
    h("circle", { cx: x, cy: y, r: 24, class: `${C}space${opened ? ` ${C}opened` : ""}` }),
    text(h, x, y + 4, "tiny", space.word, { "text-anchor": "middle" }),
  );
}

function trail(h, slide, spin) {
  const points = slide.path.map(([, x, y]) => spin.to([x, y])).map(([x, y]) => `${x},${400 - y}`).join(" ");
  return h("polyline", { points, class: `${C}trail ${C}line${slide.seat}` });
}

function disc(h, context, one, x, y) {
  const told = one.value ?? "?";
  return h(
    "g", { transform: `translate(${x} ${y})`, class: `${C}lying` },
    h("title", {}, `${context.names[one.seat]}, ${one.value ?? "face down"}`),
    h("circle", { r: 20, class: `${C}disc ${C}seat${one.seat}` }),
    h("circle", { r: 15.5, class: `${C}ring${one.shown ? ` ${C}shown` : ""}` }),
    h("circle", { cy: 0, r: 5, class: `${C}hole` }),
    text(h, 0, -7, "value", String(told), { "text-anchor": "middle" }),
  );
}

function dishes(h, frame, place) {
  const { view } = frame;
  const { x, y, width } = place.dishes;
  const room = (width - 8) / 3;
  const piles = `${view.dish_pile} more; ${view.draw} spices`;
  return h(
    "g", {},
    h("rect", { x, y, width, height: 84, rx: 10, class: `${C}panel` },
      h("title", {}, `${view.dish_pile} dishes in the pile; spices: ${view.draw} to draw`)),
    text(h, x + 10, y + 16, "title", "Dishes"),
    text(h, x + width - 10, y + 16, "small", piles, { "text-anchor": "end" }),
    ...view.dishes.map((dish, at) => dishCard(h, dish, x + 5 + room * at, y + 22, room - 3)),
  );
}

function dishCard(h, dish, x, y, width) {
  return h(
    "g", { "data-pick": `dish ${dish}` },
    h("title", {}, dish),
    h("rect", { x, y, width, height: 59, rx: 8, class: `${C}dish` }),
    ...dish.split("+").flatMap((spice, at) => [
      h("circle", { cx: x + 11, cy: y + 11.5 + 18 * at, r: 7, class: `${C}dot ${C}${spice}` }),
      text(h, x + 21, y + 16 + 18 * at, "spice", spice),
    ]),
  );
}

// The corner of a seat's card.
function seatAt({ seat: { x, y, columns, width, height, own = height } }, seat, { seats, me }) {
  const at = standing(seat, seats, me);
  const isOwn = seat === me && own > height;
  return {
    x: x + (at % columns) * (width + 4), y: y + Math.floor(at / columns) * (height + 4),
    height: isOwn ? own : height, isOwn,
  };
}

// A dish cooked is a point: from where it lay to the pots of its cook.
export function gains(before, after, context) {
  const place = layout(context.seats, context.narrow, context.me);
  return after.events.filter(({ event }) => event === "cook").map(({ seat, dish }) => {
    const own = seatAt(place, seat, context);
    const lay = before.view.dishes.indexOf(dish);
    const { x, y, width } = place.dishes;
    const to = place.seat.width > 400 ? { x: own.x + 184, y: own.y + 14 } : { x: own.x + 34, y: own.y + own.height - 14 };
    // A reserved dish comes from the cook's own hand.
    const from = lay < 0 ? { x: to.x + 110, y: to.y } : { x: x + (lay + 0.5) * (width / 3), y: y + 58 };
    return { seat, by: 1, from, to };
  });
}

function seatCard(h, frame, context, place, seat) {
  const { view } = frame;
  const { width } = place.seat;
  const { x, y, height, isOwn } = seatAt(place, seat, context);
  const flat = width > 400;
  const size = isOwn && !flat ? 1.2 : height < 90 || flat ? 0.7 : 0.8;
  const own = view.seat === null ? view.own[seat] : view.seat === seat ? view.own : null;
  const acting = view.to_act === seat ? ` ${C}acting` : "";
  const out = view.out[seat] ? `, ${view.out[seat]} out` : "";
  const tokens = own ? own.tokens.join(" ") || "none" : "hidden";
  const reserved = own?.reserved ?? Array(view.reserved[seat]).fill("");
  const chef = view.chef === seat ? "chef; " : "";
  return h(
    "g", { class: seat === context.me ? `${C}own` : "" },
    h("rect", { x, y, width, height, rx: 10, class: `${C}panel${acting}` }),
    h("circle", { cx: x + 16, cy: y + 15, r: 8, class: `${C}disc ${C}seat${seat}` }),
    text(h, x + 29, y + 20, "name", name(context, seat, width > 250 ? 19 : 13)),
    text(h, x + width - 10, y + 20, "money", `${view.money[seat]} ₹`, { "text-anchor": "end" }),
    text(h, x + 10, y + 36, "small", `${chef}discs: ${tokens}${out}`),
    hand(h, own ? own.hand : view.known[seat], own ? 0 : view.secret[seat], handAt(x, y, width, height, isOwn, reserved.length)),
    ...pots(h, view.cooked[seat], reserved, x + (flat ? 160 : 10), flat ? y + 5 : y + height - 4 - 26 * size, size),
  );
}

// Where the cards of a seat's card lie: below its words, beside the pots where it is low, at the right where it is flat.
function handAt(x, y, width, height, isOwn, reserved) {
  const from = (left, top, high) => ({ x: x + left, y: y + top, width: width - left - 10, height: high });
  if (isOwn) return from(10, width > 400 ? 42 : 46, width > 400 ? 58 : 64);
  if (width > 400) return from(210, 22, 20);
  if (height < 80) return from(90 + 24 * reserved, 44, 20);
  return from(10, 41, height < 90 ? 20 : 24);
}

// Cards as coloured squares, one per card, with the code of its spice.
function hand(h, cards, secret, { x, y, width, height }) {
  const names = SPICES.flatMap((spice) => Array(cards[spice] ?? 0).fill(spice));
  const all = [...names, ...Array(secret).fill(null)].slice(0, 16);
  const own = height > 24; // large cards lie over one another: their letters stand at the left
  const across = own ? 46 : 22;
  const step = Math.min(across + 2, (width - across) / Math.max(1, all.length - 1));
  return h("g", {}, ...all.map((spice, at) => h(
    "g", { transform: `translate(${x + step * at} ${y})` },
    h("title", {}, spice ?? "a secret card"),
    h("rect", { width: across, height, rx: own ? 7 : 4, class: `${C}card ${C}${spice ?? "back"}` }),
    own
      ? text(h, 4, 16, "letters", CODES[spice] ?? "?")
      : text(h, 11, height < 24 ? 14.5 : 16.5, "letters", CODES[spice] ?? "?", { "text-anchor": "middle" }),
  )));
}

// Three places for cooked dishes, then the reserved ones.
function pots(h, cooked, reserved, x, y, scale) {
  const three = [0, 1, 2].map((at) => pot(h, cooked[at], `${C}pot`, x + 34 * scale * at, y, scale));
  const held = reserved.slice(0, 3).map((dish, at) => (
    pot(h, dish, `${C}pot ${C}held`, x + (110 + 34 * at) * scale, y, scale)
  ));
  return [...three, ...held];
}

function pot(h, dish, className, x, y, scale = 1) {
  const spices = dish ? dish.split("+") : [];
  const title = dish === undefined ? "no dish yet" : dish || "a secret dish";
  return h(
    "g", { transform: `translate(${x} ${y}) scale(${scale})` },
    h("title", {}, title),
    h("path", { d: "M1,8 H31 V16 Q31,26 22,26 H10 Q1,26 1,16 Z", class: className }),
    ...spices.map((spice, at) => h("circle", {
      cx: 8 + 8 * at, cy: 8, r: 5, class: `${C}dot ${C}${spice}`,
    })),
  );
}

// Moves picked on the board: the things touched, one after another, that mean an action.
export function ways(action, view) {
  const [verb, what] = action.split(" ");
  if (verb === "bowl") return [[`bowl ${what}`]];
  if (verb === "cook") return [[`dish ${what}`]];
  if (verb === "buy") return [[`bowl ${view.bowl}`]];
  if (verb === "use") return [[`space ${view.space}`]];
  return [];
}

// A throw is aimed on the board.
export const aim = (given) => createAim({
  ...given, spin: spinOf(given.view, given.me), place: () => layout(given.view.seats, given.narrow()).board,
});

const REFUSALS = {
  throw: () => "Throw a disc first: drag it from your edge of the board.",
  action: ({ space }) => `You decide about the ${space} space now.`,
  keep: () => "Choose the card that you keep first.",
  bowl: () => "Open a bowl in which discs lie first.",
  sell: ({ bowl }) => `Say how many ${bowl} cards you sell first.`,
  buy: ({ bowl }) => `Only the ${bowl} bowl sells now.`,
  cook: () => "Cook a dish or nothing: the round ends with it.",
};

// Why a touch is no move now, to the one who plays.
export function refusal(touch, made, view) {
  const [what, which] = touch.split(" ");
  if (view.kind === "bowl" && what === "bowl") return `No disc lies in the ${which} bowl.`;
  if (view.kind !== "cook" || what !== "dish") return REFUSALS[view.kind](view);
  const { hand } = view.own;
  const missing = [...new Set(which.split("+"))].filter((spice) => !hand[spice]);
  return `You have no ${missing.join(", no ")} for this dish.`;
}

// What a touch is called, where it needs a button.
export const named = (touch) => touch;

// Every symbol and what it means: [drawing, width, height, words].
export function legend(h) {
  const context = { names: ["a cook"], short: () => "a cook" };
  const token = (one, words) => [disc(h, context, { seat: 0, ...one }, 22, 22), 44, 44, words];
  const card = (spice) => [hand(h, spice ? { [spice]: 1 } : {}, spice ? 0 : 1, { x: 2, y: 2, width: 24, height: 24 }), 28, 30];
  return [
    token({ value: 50, shown: false }, "a disc, face down: only its owner knows the 50"),
    token({ value: 50, shown: true }, "a disc that was turned over: a bright ring"),
    token({ value: null, shown: false }, "a disc whose value you may not know"),
    ...SPICES.map((spice) => [...card(spice), `${spice}, card code ${CODES[spice]}`]),
    [...card(null), "a secret card"],
    [pot(h, "curry+mint+saffron", `${C}pot`, 2, 2), 36, 32, "a dish that was cooked, with its spices"],
    [pot(h, "curry+mint+saffron", `${C}pot ${C}held`, 2, 2), 36, 32, "a dish held in reserve"],
    [h("g", { transform: "scale(0.8)" }, spaceNode(h, { ...SPACES[3], x: 26, y: 26 }, false)), 44, 44, "an action space: it goes to the highest sum of discs on it"],
    [h("rect", { x: 2, y: 8, width: 40, height: 6, rx: 3, class: `${C}seat0 ${C}edge` }), 44, 20, "the edge a cook throws from in this round"],
  ];
}
