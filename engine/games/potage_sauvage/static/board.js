// Draws a frame of Potage Sauvage: the pot with its cards on one side, a row per cook on the other.

const NAMES = { I: "insects", V: "vegetables", F: "fruits", T: "trash", W: "water" };
const RANKS = { R: "reset", H: "herb" };
const CARD = { width: 44, height: 62 };
// On a wide table, by seats: the height of a row and of the player's, and how large their cards are.
const WATCHED = { 2: [238, 238, 1.32, 1.32], 3: [160, 160, 1.5, 1.5], 4: [146, 146, 1.3, 1.3], 5: [122, 122, 1, 1] };
const PLAYING = { 4: [138, 170, 1.25, 1.6], 5: [110, 148, 0.84, 1.36] };

export function viewBox(seats, narrow, me = null) {
  const { width, height } = layout({ seats, narrow, me });
  return `0 0 ${width} ${height}`;
}

export function draw(h, frame, context) {
  return picture(h, frame, context, false);
}

// A card flies from its hand into the pot; a pot that is taken flies on to the taker's pile.
export function animate(svg, before, after, h, context, milliseconds) {
  const flights = journeys(before, after, context);
  const fliers = flights.map((flight) => drawCard(h, flight.card, flight.from, flight.scale));
  if (flights.length) svg.replaceChildren(...picture(h, after, context, true), ...fliers);
  let request = 0;
  let began = null;
  const finish = () => svg.replaceChildren(...draw(h, after, context));
  const step = (now) => {
    began ??= now;
    const share = flights.length ? Math.min(1, (now - began) / Math.max(1, milliseconds)) : 1;
    flights.forEach((flight, at) => fliers[at].setAttribute("transform", along(flight, share)));
    if (share < 1) request = requestAnimationFrame(step);
    else finish();
  };
  request = requestAnimationFrame(step);
  return { stop() { cancelAnimationFrame(request); finish(); } };
}

// What a seat's points changed by, from the pot to its row.
export function gains(before, after, context) {
  const { seats } = after.view;
  const plan = layout({ seats, narrow: context.narrow, me: context.me });
  return after.view.points.flatMap((points, seat) => {
    const by = points - before.view.points[seat];
    const from = { x: plan.pot.x + 44 * (seat - (seats - 1) / 2), y: plan.pot.y + 50 };
    const to = { x: plan.rows.x + plan.rows.width - 66, y: plan.rows.y + plan.form[seat].y + 29 };
    return by ? [{ seat, by, from, to }] : [];
  });
}

// Rows stand in the order of the seats; the one of whoever plays is the last, and large on a small screen.
// A row's `form` says how much it shows: "whole", "cards" with low cards, "own" with large ones, "plain"
// without cards, "line" as one line.
function rowsOf(seats, me, form, heights) {
  const all = Array.from({ length: seats }, (_, at) => (me === null ? at : (me + 1 + at) % seats));
  const rows = [];
  let y = 0;
  for (const seat of all) {
    const one = seat === me ? "own" : form;
    rows[seat] = { y, form: one, height: heights[one] };
    y += heights[one];
  }
  return { rows, height: y };
}

function layout({ seats, narrow, me = null }) {
  if (narrow) {
    // Two cooks have room for large cards; else whoever plays has them alone.
    const pair = seats === 2 && me === null;
    const form = pair ? "own" : me === null ? (seats > 3 ? "cards" : "whole") : seats > 3 ? "line" : "plain";
    const { rows, height } = rowsOf(seats, me, form, { whole: 122, cards: 98, own: pair ? 216 : 246, plain: 68, line: 42 });
    return {
      narrow, width: 390, height: 250 + height, form: rows,
      pot: { x: 195, y: 138, left: 8, width: 374, cards: 34, notes: 244 },
      rows: { x: 4, y: 250, width: 382 },
      hand: { x: 10, scale: 0.8 }, own: { x: 10, scale: pair ? 0.88 : 1.12 },
    };
  }
  const wide = seats > 3;
  // At a table of four or five, whoever plays has a higher row than the others.
  const apart = wide && me !== null;
  const [row, ownRow, small, large] = apart ? PLAYING[seats] : WATCHED[seats];
  const { rows, height: all } = rowsOf(seats, me, "whole", { whole: row, own: ownRow });
  const height = Math.max(430, all + 12);
  const across = wide ? 650 : 500;
  return {
    narrow, width: 310 + across, height, form: rows,
    pot: { x: 150, y: height / 2 + 44, left: 8, width: 284, cards: height / 2 - 128, notes: height / 2 + 172 },
    rows: { x: 304, y: (height - all) / 2 + 3, width: across },
    hand: { x: 12, scale: small }, own: { x: 12, scale: large },
  };
}

function find(frame, name) {
  return frame.events.find((event) => event.event === name);
}

// A name and its verb, which are "you" and another form for the reader.
function says(context, seat, ofYou, ofAnother) {
  return seat === context.you ? `You ${ofYou}` : `${shortName(context, seat)} ${ofAnother}`;
}

function shortName(context, seat, length = 18) {
  return context.short(seat, length);
}

function picture(h, frame, context, flying) {
  const view = frame.view;
  const plan = layout({ seats: view.seats, narrow: context.narrow, me: context.me });
  const nodes = [drawPot(h, frame, context, plan, flying)];
  for (let seat = 0; seat < view.seats; seat += 1) nodes.push(drawRow(h, frame, context, plan, seat));
  return nodes;
}

// The pot

function drawPot(h, frame, context, plan, flying) {
  const { view } = frame;
  const { x, y } = plan.pot;
  const level = Math.min(view.total, 10);
  return h("g", {},
    h("title", {}, `Pot: ${view.pot.join(" ") || "empty"}, total ${view.total}, `
      + (view.demand ? `${NAMES[view.demand]} demanded` : "any card")),
    ...(plan.narrow ? [
      text(h, `Deal ${view.deal} of 5`, 10, 22, "heading start"),
      text(h, says(context, view.dealer, "deal", "deals"), 380, 22, "small end"),
    ] : [
      text(h, `Deal ${view.deal} of 5`, x, plan.pot.cards - 44, "heading"),
      text(h, says(context, view.dealer, "deal", "deals"), x, plan.pot.cards - 26, "small"),
    ]),
    h("g", { transform: `translate(${x} ${y})${plan.narrow ? " scale(0.86)" : ""}` },
      ...[-48, -24, 0, 24, 48].map((at) => h("path", { class: c("flame"), d: `M${at} 100q-16-12 2-36q16 26-2 36z` })),
      h("path", { class: c("iron"), d: "M-92 0C-98 62-62 86 0 86S98 62 92 0z" }),
      h("path", { class: c("handle"), d: "M-94 14q-20 4-12 22M94 14q20 4 12 22" }),
      h("ellipse", { class: c("rim"), cx: 0, cy: 0, rx: 98, ry: 20 }),
      h("ellipse", { class: c("soup"), cx: 0, cy: 2, rx: 86, ry: 14 }),
      ...bubbles(h, level),
      text(h, String(view.total), 0, 58, "total"),
      ...gauge(h, level),
    ),
    ...drawDemand(h, view, plan),
    ...potCards(h, frame, context, plan, flying),
    ...notes(h, frame, context, plan),
  );
}

function bubbles(h, level) {
  const places = [[-40, 2, 5], [24, 4, 6], [56, 0, 4], [-12, -1, 4], [-62, 3, 4], [42, 7, 3], [4, 8, 5], [-28, 8, 3], [70, 5, 3]];
  return places.slice(0, level).map(([cx, cy, r]) => h("circle", { class: c("bubble"), cx, cy, r }));
}

function gauge(h, level) {
  return Array.from({ length: 10 }, (_, at) => h("circle", {
    class: c(at < level ? "pip-on" : "pip"), cx: -54 + at * 12, cy: 72, r: 4,
  }));
}

function drawDemand(h, view, plan) {
  const at = plan.narrow ? [44, 168] : [40, plan.pot.y + 116];
  if (!view.pot.length || view.to_act === null) return [];
  if (!view.demand) {
    return [text(h, "any card", at[0] - 24, at[1] + (plan.narrow ? -22 : 4), "small start")];
  }
  return [h("g", { transform: `translate(${at[0]} ${at[1]})` },
    h("title", {}, `${NAMES[view.demand]} must be followed`),
    h("circle", { class: c(`disc suit-${view.demand}`), r: 17 }),
    glyph(h, view.demand, 0, 0, 1),
    plan.narrow ? text(h, "follow", 0, -24, "small") : text(h, `follow ${NAMES[view.demand]}`, 24, 4, "small start"),
  )];
}

// Where the cards of a pot of this size lie: one row, overlapping when there are many.
function potPlaces(plan, count) {
  const { x, width, cards } = plan.pot;
  const step = Math.min(CARD.width + 6, (width - CARD.width) / Math.max(1, count - 1));
  const left = x - ((count - 1) * step + CARD.width) / 2;
  return Array.from({ length: count }, (_, at) => ({ x: left + at * step, y: cards }));
}

function potCards(h, frame, context, plan, flying) {
  const { view } = frame;
  const taken = find(frame, "take") ?? (find(frame, "score") && { cards: find(frame, "score").left_in_pot });
  const cards = view.pot.length ? view.pot : taken?.cards ?? [];
  if (flying && !view.pot.length) return [];
  const faded = !view.pot.length;
  const places = potPlaces(plan, cards.length);
  const played = find(frame, "play");
  return cards.flatMap((card, at) => {
    const last = at === cards.length - 1 && played;
    if (flying && last) return [];
    const owner = (view.leader + at) % view.seats;
    const node = drawCard(h, card, places[at], 1, `${faded ? "faded" : ""} ${last ? "new" : ""}`);
    if (faded) return [node];
    const mark = h("circle", { class: c(`seat${owner}`), cx: places[at].x + CARD.width / 2, cy: places[at].y + CARD.height + 8, r: 5 },
      h("title", {}, `played by ${shortName(context, owner)}`));
    return [node, mark];
  });
}

function notes(h, frame, context, plan) {
  const lines = [];
  const taken = find(frame, "take");
  const scored = find(frame, "score");
  if (taken) lines.push(says(context, taken.seat, `take ${taken.cards.length} cards at ${taken.total}`, `takes ${taken.cards.length} cards at ${taken.total}`));
  if (scored) lines.push(`Deal ${scored.deal} is served${scored.left_in_pot.length ? ", the rest is poured away" : ""}`);
  if (find(frame, "reveal")) lines.push("The recipes are shown");
  if (frame.view.to_act === null) lines.push(winners(frame, context));
  return lines.slice(plan.narrow ? -1 : -3).map((line, at) => text(h, line, plan.pot.x, plan.pot.notes + at * 17, "note"));
}

function winners({ view }, context) {
  const best = Math.max(...view.points);
  const winners = view.points.flatMap((points, seat) => (points === best ? [seat] : []));
  if (winners.length < 2) return says(context, winners[0], "win", "wins");
  return `${winners.map((seat) => (seat === context.you ? "you" : shortName(context, seat, 12))).join(" and ")} share the win`;
}

// The cooks

function drawRow(h, frame, context, plan, seat) {
  const { view } = frame;
  const { x, y, width } = plan.rows;
  const { y: down, form, height } = plan.form[seat];
  const acting = view.to_act === seat;
  const narrow = plan.narrow;
  const line = form === "line";
  const choosing = narrow && form === "own" && acting && view.kind === "recipe";
  const at = (left, top, scale = 1) => ({ transform: `translate(${left} ${top}) scale(${scale})` });
  return h("g", at(x, y + down),
    h("title", {}, `${context.names[seat]}: ${view.points[seat]} points, ${view.hand_sizes[seat]} cards`),
    h("rect", { class: c(acting ? "row acting" : "row"), x: 0, y: 0, width, height: height - 6, rx: 12 }),
    h("rect", { class: c(`seat${seat}`), x: 0, y: 8, width: 5, height: height - 22, rx: 2.5 }),
    text(h, shortName(context, seat, line ? 12 : acting ? 13 : 15), 14, line ? 24 : 25, "name start"),
    // It ends before the recipes begin, however long a name is.
    acting && !line ? text(h, view.kind === "recipe" ? "choosing" : "to play", narrow ? 232 : 224, 25, "turn end") : "",
    text(h, String(view.points[seat]), width - 12, line ? 27 : 29, "points end"),
    ...gained(h, frame, seat, width),
    ...(narrow && form === "plain" ? [text(h, `${view.hand_sizes[seat]} cards`, 300, 25, "small end")] : []),
    h("g", line ? at(134, 18) : choosing ? at(40, 62, 1.68) : narrow ? at(34, 48) : wideRecipes(width), ...recipes(h, view, seat)),
    choosing ? "" : h("g", line ? at(274, 18) : narrow ? at(196, 48) : widePile(width), ...pile(h, frame, seat, line)),
    ...hand(h, view, plan, seat),
  );
}

// Where a narrower row has no room beside the name, recipes and pile stand in a line of their own.
const wideRecipes = (width) => ({ transform: width > 600 ? "translate(252 22)" : "translate(30 54)" });
const widePile = (width) => ({ transform: width > 600 ? "translate(410 22)" : "translate(330 54)" });

function gained(h, frame, seat, width) {
  const scored = find(frame, "score");
  if (!scored) return [];
  const score = scored.scores[seat];
  return [text(h, signed(score), width - 48, 27, score < 0 ? "loss end" : "gain end")];
}

function signed(value) {
  return value < 0 ? `−${-value}` : `+${value}`;
}

// Five discs: a served recipe shows its score, the one in play is ringed, the rest wait.
function recipes(h, view, seat) {
  const served = new Map(view.served.map((deal) => deal[seat]));
  const now = view.recipes[seat];
  const nodes = [..."IVFTW"].map((recipe, at) => {
    const place = { transform: `translate(${at * 30} 0)`, "data-pick": view.to_act === seat ? `recipe ${recipe}` : null };
    if (served.has(recipe)) {
      return h("g", place, h("title", {}, `${NAMES[recipe]} scored ${served.get(recipe)}`),
        h("circle", { class: c("disc used"), r: 12 }), glyph(h, recipe, 0, 0, 0.75, "past"), text(h, signed(served.get(recipe)), 0, 4, "tiny"));
    }
    const state = recipe === now ? "chosen" : "waiting";
    return h("g", place, h("title", {}, `${NAMES[recipe]}${recipe === now ? ", in play" : ""}`),
      h("circle", { class: c("reach"), r: 14.5 }),
      h("circle", { class: c(`disc suit-${recipe} ${state}`), r: recipe === now ? 14 : 11 }),
      glyph(h, recipe, 0, 0, recipe === now ? 0.85 : 0.65));
  });
  if (now === "?") nodes.push(text(h, "?", -19, 6, "turn"));
  return nodes;
}

function worth(card, recipe, resetCosts) {
  if (recipe === "W") return -1;
  if (recipe === "T") return card[0] === "T" ? 1 : card[1] === "H" || (resetCosts && card[1] === "R") ? -1 : 0;
  return card[0] === recipe ? 1 : card[0] === "T" ? -1 : 0;
}

function pile(h, frame, seat, short) {
  const { view } = frame;
  const cards = view.piles[seat];
  const recipe = view.recipes[seat];
  const took = find(frame, "take")?.seat === seat;
  const counts = [..."IVFT"].map((suit) => [suit, cards.filter((card) => card[0] === suit).length]);
  const nodes = [h("title", {}, `pile: ${cards.join(" ") || "empty"}`),
    h("rect", { class: c(took ? "pile new" : "pile"), x: -14, y: -14, width: short ? 76 : 146, height: 28, rx: 8 })];
  if (short) nodes.push(text(h, String(cards.length), 0, 6, "sum"));
  else counts.forEach(([suit, count], at) => {
    nodes.push(glyph(h, suit, at * 25, 0, 0.55, count ? "" : "none"));
    nodes.push(text(h, String(count), at * 25 + 8, 5, count ? "tiny start" : "tiny start none"));
  });
  if (recipe && recipe !== "?") {
    const resetCosts = view.options.trash_penalty === "herb+reset";
    const value = cards.reduce((sum, card) => sum + worth(card, recipe, resetCosts), recipe === "W" ? 5 : 0);
    nodes.push(text(h, signed(value), short ? 56 : 126, 5, value < 0 ? "sum loss end" : "sum gain end"));
  }
  return nodes;
}

function handPlaces(view, plan, seat, count) {
  const { form, height } = plan.form[seat];
  if (form === "plain" || form === "line") { // where hidden cards come from
    return Array.from({ length: count }, () => ({ x: 130, y: 0, scale: 0.4 }));
  }
  const { x, scale } = form === "own" ? plan.own : plan.hand;
  const two = plan.narrow ? form === "own" : height > 200;
  const across = two ? Math.max(7, Math.ceil(count / 2)) : count;
  const [width, tall] = [CARD.width * scale, CARD.height * scale];
  const room = plan.rows.width - 2 * x - width;
  const step = Math.min(width + 6, room / Math.max(1, across - 1));
  const top = plan.narrow ? (form === "own" ? (view.kind === "recipe" ? 92 : 80) : 64) : plan.rows.width > 600 ? 46 : height > 200 ? 74 : 72;
  return Array.from({ length: count }, (_, at) => ({
    x: x + (at % across) * step, y: top + Math.floor(at / across) * (two && !plan.narrow ? 0.92 * tall : tall + 4), scale,
  }));
}

function hand(h, view, plan, seat) {
  const { form } = plan.form[seat];
  if (form === "plain" || form === "line") return [];
  const known = view.hands?.[seat] ?? (view.seat === seat ? view.hand : null);
  const count = view.hand_sizes[seat];
  const places = handPlaces(view, plan, seat, count);
  return places.map((place, at) => {
    const card = drawCard(h, known ? known[at] : null, place, place.scale, form === "cards" ? "low" : "");
    return known && view.to_act === seat ? h("g", { "data-pick": known[at] }, card) : card;
  });
}

// Cards

// A "low" card shows its upper half.
function drawCard(h, card, place, scale, extra = "") {
  const low = extra === "low";
  const { width } = CARD;
  const height = low ? 31 : CARD.height;
  const transform = `translate(${place.x} ${place.y}) scale(${scale})`;
  if (!card) {
    return h("g", { transform }, h("title", {}, "a hidden card"),
      h("rect", { class: c("back"), width, height, rx: 7 }),
      low ? "" : h("path", { class: c("back-mark"), d: "M12 30c0 14 20 14 20 0zM10 28h24M18 22q-3-4 0-8M26 22q-3-4 0-8" }));
  }
  const [suit, rank] = [card[0], card.slice(1)];
  const special = rank in RANKS;
  return h("g", { transform, class: classes(extra) },
    h("title", {}, `${NAMES[suit]} ${RANKS[rank] ?? rank}`),
    h("rect", { class: c("card"), width, height, rx: 7 }),
    h("rect", { class: c(`band suit-${suit}`), x: 3, y: 3, width: width - 6, height: 24, rx: 5 }),
    special ? mark(h, rank, width / 2, 15) : text(h, rank, width / 2, 22, "rank"),
    low ? "" : glyph(h, suit, width / 2, 44, 1),
  );
}

function mark(h, rank, x, y) {
  const transform = `translate(${x} ${y})`;
  if (rank === "R") return h("path", { class: c("mark"), transform, d: "M6-5A8 8 0 1 0 8 2M8-9V-3H2" });
  return h("path", { class: c("mark"), transform, d: "M0 9V-8M0 4q-7 0-7-6q7 0 7 6M0 4q7 0 7-6q-7 0-7 6M0-3q-5 0-5-5q5 0 5 5M0-3q5 0 5-5q-5 0-5 5" });
}

const SHAPES = {
  I: [["line", "M-5-2l-6-4M-5 2h-7M-4 6l-6 4M5-2l6-4M5 2h7M4 6l6 4M-2-9l-3-4M2-9l3-4"],
    ["body", "M0-10a4 4 0 0 1 4 4c3 2 4 5 4 8c0 6-4 10-8 10s-8-4-8-10c0-3 1-6 4-8a4 4 0 0 1 4-4z"], ["seam", "M0-4v15"]],
  V: [["leaf", "M0-4q-8-2-7-9q6 1 7 7q0-8 5-9q3 6-5 11z"], ["body", "M-6-4q6-4 12 0q1 8-6 18q-7-10-6-18z"], ["seam", "M-4 1h4M0 6h3"]],
  F: [["leaf", "M1-7q1-6 8-6q0 6-8 6z"], ["body", "M0-6q9-5 11 3q1 9-6 14q-3 1-5 0q-2 1-5 0q-7-5-6-14q2-8 11-3z"], ["line", "M0-5q0-4-2-7"]],
  T: [["line", "M-6 0H8M-3-6v12M1-5v10M5-4v8"], ["body", "M-13 0l7-6v12z"], ["line", "M8 0l5-5M8 0l5 5"]],
  W: [["body", "M0-12q9 12 9 17a9 8 0 0 1-18 0q0-5 9-17z"], ["seam", "M-4 6q0 4 4 4"]],
};

function glyph(h, suit, x, y, scale, extra = "") {
  return h("g", { class: `${c(`glyph ink-${suit}`)} ${classes(extra)}`, transform: `translate(${x} ${y}) scale(${scale})` },
    ...SHAPES[suit].map(([part, d]) => h("path", { class: c(part), d })));
}

// Motion

function journeys(before, after, context) {
  const plan = layout({ seats: after.view.seats, narrow: context.narrow, me: context.me });
  const played = find(after, "play");
  if (!played || !before) return [];
  const taken = find(after, "take");
  const pot = [...before.view.pot, played.card];
  const slots = potPlaces(plan, pot.length);
  const from = handSpot(before.view, plan, played);
  if (!taken) return [{ card: played.card, from, to: slots.at(-1), scale: from.scale, end: 1 }];
  const { x, y } = plan.rows;
  const goal = { x: x + (plan.narrow ? 230 : 360), y: y + plan.form[taken.seat].y + 30 };
  return pot.map((card, at) => ({
    card, from: at === pot.length - 1 ? from : slots[at], via: slots[at], to: goal,
    scale: at === pot.length - 1 ? from.scale : 1, end: 0.4,
  }));
}

function handSpot(view, plan, { seat, card }) {
  const known = view.hands?.[seat] ?? (view.seat === seat ? view.hand : null);
  const at = known ? known.indexOf(card) : Math.floor(view.hand_sizes[seat] / 2);
  const place = handPlaces(view, plan, seat, view.hand_sizes[seat])[Math.max(0, at)];
  return { x: plan.rows.x + place.x, y: plan.rows.y + plan.form[seat].y + place.y, scale: place.scale };
}

function along({ from, via = undefined, to, scale, end }, share) {
  const ease = (part) => part * part * (3 - 2 * part);
  const mix = (a, b, part) => a + (b - a) * part;
  const [start, goal, part] = !via ? [from, to, ease(share)]
    : share < 0.5 ? [from, via, ease(share * 2)] : [via, to, ease(share * 2 - 1)];
  const size = !via ? mix(scale, end, part) : share < 0.5 ? mix(scale, 1, part) : mix(1, end, part);
  return `translate(${mix(start.x, goal.x, part)} ${mix(start.y, goal.y, part)}) scale(${size})`;
}

// Moves picked on the board: the things touched, one after another, that mean an action.
export function ways(action, view) {
  return [[view.kind === "recipe" ? `recipe ${action}` : action]];
}

// Why a touch is no move now, to the one who plays.
export function refusal(touch, made, view) {
  if (touch.startsWith("recipe ")) {
    return view.kind === "recipe" ? "You have served that recipe already." : "Your recipe is chosen for this deal: play a card.";
  }
  if (view.kind === "recipe") return "Choose a recipe first.";
  return view.demand ? `You must follow ${NAMES[view.demand]}.` : null;
}

// What a touch is called, where it needs a button.
export const named = (touch) => {
  if (touch.startsWith("recipe ")) return NAMES[touch.slice(7)];
  return `${NAMES[touch[0]]} ${RANKS[touch.slice(1)] ?? touch.slice(1)}`;
};

// Words

function c(names) {
  return names.split(" ").filter(Boolean).map((name) => `b-potage-sauvage-${name}`).join(" ");
}

function classes(extra) {
  return extra.trim() ? c(extra) : "";
}

function text(h, content, x, y, kind) {
  return h("text", { class: c(`text ${kind}`), x, y }, content);
}

// Every symbol and what it means: [drawing, width, height, words].
export function legend(h) {
  const card = (text, words) => [drawCard(h, text, { x: 1, y: 1 }, 0.9), 44, 58, words];
  const recipe = (letter, words) => [
    h("g", { transform: "translate(20 16)" },
      h("circle", { class: c(`disc suit-${letter} chosen`), r: 14 }), glyph(h, letter, 0, 0, 0.85)),
    44, 32, words,
  ];
  return [
    card("I3", "insect 3: adds 3 to the pot"), card("V5", "vegetable 5"), card("F1", "fruit 1"),
    card("T4", "trash 4: ends the demand for a suit"),
    card("FH", "a herb: adds nothing"), card("VR", "a reset: the pot is at 0 again"),
    card("I10", "a 10: counts 0 when it leads, 10 otherwise"), card(null, "a card that is not known"),
    recipe("I", "recipe insects: 1 for each insect, −1 for each trash"),
    recipe("V", "recipe vegetables: the same with vegetables"),
    recipe("F", "recipe fruits: the same with fruits"),
    recipe("T", "recipe trash: 1 for each trash, −1 for each herb"),
    recipe("W", "recipe water: 5, −1 for every card taken"),
  ];
}
