// Draws Ramen! Ramen!: the fridge and deck above, three bowls on the counter, the seats below.

const CARD_WIDTH = 48;
const CARD_HEIGHT = 66;
const FULL = 14;
const POINTS = [0, 0, 1, 2, 3, 5, 7, 10];
const TYPES = ["ajitama", "chashu", "kamaboko", "menma", "negi", "nori", "shiitake"];
const BOWLS = ["A", "B", "C"];
const STARS = [[62, "5"], [60, "4½"], [58, "4"], [56, "3½"], [53, "3"], [48, "2½"], [44, "2"], [38, "1"]];

const css = (...names) => names.filter(Boolean).map((name) => `b-ramen-ramen-${name}`).join(" ");
const typeOf = (card) => card.slice(0, -1);
const valueOf = (card) => Number(card.slice(-1));
const sumOf = (cards) => cards.reduce((sum, card) => sum + valueOf(card), 0);
const typesOf = (cards) => new Set(cards.map(typeOf));
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const titled = (card) => `${typeOf(card)[0].toUpperCase()}${typeOf(card).slice(1)} ${valueOf(card)}`;

export function viewBox(seats, narrow, me = null) {
  return narrow ? `0 0 390 ${seatsBelow(seats, me).at(-1).bottom + 4}` : "0 0 960 560";
}

// Whose box stands where: the seats in their order, and last the one whose player looks.
function order(seats, me) {
  const all = Array.from({ length: seats }, (_, seat) => seat);
  return me === null ? all : all.map((at) => (me + 1 + at) % seats);
}

// From bowl to bowl of an upright table. There is room for larger ones where one plays alone and nobody needs buttons.
const isRoomy = (seats, me) => seats === 1 && me === null;
const pitch = (seats, me) => (isRoomy(seats, me) ? 126 : 98);

// The seats' boxes of an upright table. Who plays has a large one; whose cards nobody sees needs little.
function seatsBelow(seats, me) {
  const low = seats > 3 ? 74 : 82;
  let bottom = 124 + 3 * pitch(seats, me);
  return order(seats, me).map((seat) => {
    const height = me === null ? low : seat === me ? 100 : 44;
    const box = { seat, x: 4, y: bottom, width: 382, height, bottom: bottom + height + 4, slim: height < 50 };
    bottom = box.bottom;
    return box;
  });
}

// The same on a wide table: side by side, the player's in large.
function seatsAside(seats, me) {
  const whole = 936 - 12 * seats;
  const own = me === null || seats < 2 ? whole / seats : Math.max(380, whole / seats);
  const other = seats < 2 ? own : (whole - own) / (seats - 1);
  let x = 18;
  return order(seats, me).map((seat) => {
    const box = { seat, x, y: 364, width: seat === me ? own : other, height: 184, slim: false };
    x += box.width + 12;
    return box;
  });
}

// Where everything lies. Bowls and seats are boxes; cards have a corner and a scale.
function layout(view, narrow, me) {
  const seats = view.seats;
  const place = { cards: new Map(), backs: [], bowls: [], seats: [] };
  const put = (card, at) => (card === "?" ? place.backs.push(at) : place.cards.set(card, at));
  const row = (cards, x, y, width, scale) => {
    const step = Math.min(52 * scale, (width - CARD_WIDTH * scale) / Math.max(1, cards.length - 1));
    cards.forEach((card, index) => put(card, { x: x + index * step, y, scale }));
  };
  const top = narrow ? { x: 4, y: 4, scale: 1 } : { x: 24, y: 14, scale: 1.2 };
  const slot = (CARD_WIDTH + 6) * top.scale;
  place.fridge = { x: top.x, y: top.y, width: slot * 4 + 14, height: (CARD_HEIGHT + 26) * top.scale };
  const cardY = top.y + 20 * top.scale;
  view.fridge.forEach((card, index) =>
    put(card, { x: top.x + 10 + index * slot, y: cardY, scale: top.scale }));
  place.deck = { x: top.x + slot * 4 + 34, y: cardY, scale: top.scale };
  place.status = narrow ? { x: 10, y: 115, line: 18 } : { x: 470, y: 52, line: 28 };
  BOWLS.forEach((name, index) => {
    const cards = view.bowls[name];
    if (narrow) {
      const y = 124 + index * pitch(seats, me);
      const [size, scale] = isRoomy(seats, me) ? [0.46, 1.2] : [0.42, 0.95];
      place.bowls.push({ name, x: 4, y, width: 382, height: pitch(seats, me) - 4, rimX: 66, rimY: y + 36, size, cardsX: 134, cardsY: y + 24, scale });
      row(cards, 134, y + 24, 250, scale);
    } else {
      const x = 24 + index * 312;
      const cardsX = x + 144 - (Math.min(cards.length, 5) * 57 - 4) / 2;
      place.bowls.push({ name, x, y: 142, width: 288, height: 206, rimX: x + 144, rimY: 246, size: 1, cardsX, cardsY: 180, scale: 1.1 });
      row(cards, cardsX, 180, 280, 1.1);
    }
  });
  for (const box of narrow ? seatsBelow(seats, me) : seatsAside(seats, me)) {
    const { seat, x, y, width, height, slim } = box;
    place.seats[seat] = box;
    const hand = view.hands[seat];
    const own = seat === me;
    if (slim) row(hand, x + 232, y + 8, 84, 0.42);
    else if (narrow && own) row(hand, x + 134, y + 10, 244, 1.18);
    else if (narrow) row(hand, x + 182, y + (height - 62) / 2, 196, 0.93);
    else if (own) row(hand, x + 14, y + 48, width - 28, 1.2);
    else row(hand, x + 14, y + 48, width - 28, 1);
  }
  return place;
}

const ICONS = {
  ajitama: (h) => [
    h("ellipse", { cx: 12, cy: 13, rx: 9, ry: 10.5, class: css("white") }),
    h("circle", { cx: 12, cy: 14.5, r: 5, class: css("yolk") }),
  ],
  chashu: (h) => [
    h("circle", { cx: 12, cy: 12, r: 10, class: css("pork") }),
    h("path", { d: "M12 12c0-3 5-3 5 1s-6 6-9 2 1-10 6-9", class: css("fat") }),
  ],
  kamaboko: (h) => [
    h("path", { d: "M12 1.5l3 2 3.6 0 1.4 3.4 2.5 2.6-1.2 3.4.7 3.6-3.1 1.9-1.7 3.2-3.6-.2-3.1 1.6-2.7-2.4-3.5-.9-.6-3.6-2.2-2.9 1.9-3.1.3-3.6 3.5-1z", class: css("white") }),
    h("path", { d: "M12 12c0-2.5 4-2.5 4 1s-5 5-8 1.5 1-8.5 5.5-7.5", class: css("swirl") }),
  ],
  menma: (h) => [3, 9.5, 16].map((x, index) =>
    h("rect", { x, y: 2 + index, width: 5, height: 19, rx: 2, class: css("bamboo") })),
  negi: (h) => [[8, 9, 6.5], [16.5, 14, 5.5], [7.5, 18.5, 4]].map(([cx, cy, r]) =>
    h("g", {}, h("circle", { cx, cy, r, class: css("leek") }), h("circle", { cx, cy, r: r * 0.4, class: css("leek-core") }))),
  nori: (h) => [
    h("rect", { x: 3, y: 2, width: 18, height: 20, rx: 2, class: css("seaweed") }),
    h("path", { d: "M6 7q3-2 6 0t6 0M6 12q3-2 6 0t6 0M6 17q3-2 6 0t6 0", class: css("seaweed-line") }),
  ],
  shiitake: (h) => [
    h("rect", { x: 9, y: 12, width: 6, height: 10, rx: 2.5, class: css("stem") }),
    h("path", { d: "M1.5 14q1-11.5 10.5-11.500t10.5 11.500q-10.5 3-21 0z", class: css("cap") }),
    h("path", { d: "M12 5v7M8.5 8.500h7", class: css("cap-cut") }),
  ],
};

function drawCard(h, card, at, marked, faded) {
  const type = typeOf(card);
  return h("g", { transform: `translate(${at.x} ${at.y}) scale(${at.scale})`, class: css("card", faded && "faded"), "data-pick": card },
    h("title", {}, titled(card)),
    h("rect", { width: CARD_WIDTH, height: CARD_HEIGHT, rx: 6, class: css("face", marked && "marked") }),
    h("rect", { x: 0, y: 0, width: 7, height: CARD_HEIGHT, rx: 3.5, class: css(`type-${type}`) }),
    h("text", { x: 12, y: 21, class: css("value") }, String(valueOf(card))),
    h("g", { transform: "translate(13 27) scale(1.3)" }, ...ICONS[type](h)));
}

function drawBack(h, at) {
  return h("g", { transform: `translate(${at.x} ${at.y}) scale(${at.scale})` },
    h("title", {}, "a hidden card"),
    h("rect", { width: CARD_WIDTH, height: CARD_HEIGHT, rx: 6, class: css("back") }),
    h("path", { d: "M8 22q8-9 16 0t16 0M8 34q8-9 16 0t16 0M8 46q8-9 16 0t16 0", class: css("noodle") }));
}

function drawFridge(h, view, place) {
  const { fridge, deck } = place;
  const nodes = [
    h("rect", { ...boxOf(fridge), rx: 12, class: css("fridge") }),
    h("text", { x: fridge.x + 12, y: fridge.y + 15 * deck.scale, class: css("label") }, "Fridge"),
    h("text", { x: deck.x, y: fridge.y + 15 * deck.scale, class: css("label") }, `Deck ${view.deck}`),
  ];
  const layers = Math.min(3, Math.ceil(view.deck / 12));
  for (let layer = 0; layer < layers; layer += 1) {
    nodes.push(drawBack(h, { ...deck, x: deck.x + 3 * layer, y: deck.y - 2 * layer }));
  }
  if (view.deck === 0) {
    const size = { width: CARD_WIDTH * deck.scale, height: CARD_HEIGHT * deck.scale };
    nodes.push(h("rect", { x: deck.x, y: deck.y, ...size, rx: 6, class: css("gone") }));
  }
  return nodes;
}

const boxOf = ({ x, y, width, height }) => ({ x, y, width, height });

function bowlLabel(view, name, context) {
  const owner = view.owners[name];
  if (view.seats < 3) return `Bowl ${name}`;
  if (owner === null) return `Bowl ${name}, for whoever fills it`;
  return `Bowl ${name}, for ${sideName(view, owner, context)}`;
}

// Partners are a team; otherwise every seat is a side of its own.
const teamName = (side) => `Team ${"AB"[side]}`;
const sideName = (view, side, context) =>
  (view.seats === 4 ? teamName(side) : context.short(side, context.narrow ? 20 : 16));

function drawBowlBack(h, box) {
  const { rimX, rimY, size } = box;
  return [
    h("ellipse", { cx: rimX, cy: rimY, rx: 136 * size, ry: 22 * size, class: css("rim") }),
    h("ellipse", { cx: rimX, cy: rimY + 3 * size, rx: 122 * size, ry: 16 * size, class: css("broth") }),
  ];
}

function drawBowlFront(h, view, box, narrow) {
  const { rimX, rimY, size, name } = box;
  const cards = view.bowls[name];
  const sum = sumOf(cards);
  const types = typesOf(cards);
  const owner = view.owners[name];
  const body = `M${rimX - 136 * size} ${rimY}q${8 * size} ${92 * size} ${92 * size} ${96 * size}`
    + `h${88 * size}q${84 * size} ${-4 * size} ${92 * size} ${-96 * size}`
    + `q${-136 * size} ${44 * size} ${-272 * size} 0z`;
  const pip = narrow ? 12 : 22;
  const pipsX = rimX - 3 * pip;
  const pipsY = narrow ? rimY + 51 : rimY + 78;
  const told = `Bowl ${name}: ${cards.map(titled).join(", ") || "empty"}; sum ${sum} of ${FULL}, ${plural(types.size, "type")}`;
  return [
    h("path", { d: body, class: css("bowl", owner !== null && view.seats > 2 && `of-side${owner}`) },
      h("title", {}, told)),
    h("text", { x: rimX, y: narrow ? rimY + 30 : rimY + 52, class: css("sum", sum >= 7 && "warm") }, `${sum} / ${FULL}`),
    ...TYPES.map((type, index) => h("circle", {
      cx: pipsX + index * pip, cy: pipsY, r: narrow ? 4.5 : 7,
      class: css("pip", narrow && "outside", types.has(type) ? `type-${type}` : "missing"),
    })),
  ];
}

function drawServed(h, view, event, box, context) {
  const { narrow } = context;
  const room = narrow ? 250 : 280;
  const step = Math.min(46, (room - 42) / Math.max(1, event.cards.length - 1));
  const width = step * (event.cards.length - 1) + 42;
  const x = narrow ? box.cardsX : box.rimX - width / 2;
  const y = narrow ? box.cardsY - 4 : box.cardsY - 12;
  const pointsX = narrow ? box.cardsX : box.rimX;
  const points = narrow ? `+${event.points}` : `served: ${plural(event.points, "point")}`;
  const whom = view.seats > 1 ? ` for ${sideName(view, event.side, context)}` : "";
  return [
    ...event.cards.map((card, index) => drawCard(h, card, { x: x + index * step, y, scale: 0.88 }, false, true)),
    h("text", { x: pointsX, y: y + (narrow ? 76 : 80), class: css("served", narrow && "left") }, points + whom),
  ];
}

function drawBowl(h, frame, box, place, marked, context) {
  const { view, events } = frame;
  const { narrow } = context;
  const cards = view.bowls[box.name].map((card) => drawCard(h, card, place.cards.get(card), marked.has(card)));
  const served = events.find((event) => event.event === "serve" && event.bowl === box.name);
  const labelX = narrow ? box.cardsX : box.rimX;
  return h("g", { "data-pick": `bowl ${box.name}` },
    h("rect", { ...boxOf(box), class: css("place") }), // all of it can be touched
    h("text", { x: labelX, y: box.y + 16, class: css("label", narrow ? "" : "middle") }, bowlLabel(view, box.name, context)),
    ...drawBowlBack(h, box),
    ...(narrow ? [] : cards),
    ...drawBowlFront(h, view, box, narrow),
    ...(narrow ? cards : []),
    ...(served && view.bowls[box.name].length === 0 ? drawServed(h, view, served, box, context) : []));
}

function standing(view, side) {
  const packets = view.served.filter((packet) => packet.side === side);
  const used = packets.reduce((sum, packet) => sum + packet.cards.length, 0);
  return [view.points[view.sides.indexOf(side)], packets.length, -used];
}

function leads(view, side) {
  const mine = standing(view, side);
  return view.sides.every((other) => {
    const theirs = standing(view, other);
    const at = mine.findIndex((value, index) => value !== theirs[index]);
    return at < 0 || mine[at] > theirs[at];
  });
}

function drawPackets(h, view, side, box, narrow) {
  if (box.slim) return [];
  const packets = view.served.filter((packet) => packet.side === side);
  const step = Math.min(28, (narrow ? 108 : box.width - 44) / Math.max(1, packets.length));
  const y = narrow ? box.y + box.height - 20 : box.y + 156;
  const radius = narrow ? 10 : 12;
  return packets.map((packet, index) => {
    const points = POINTS[typesOf(packet.cards).size];
    const x = box.x + 28 + index * step;
    return h("g", {},
      h("title", {}, `${plural(points, "point")}: ${packet.cards.map(titled).join(", ")}`),
      h("path", { d: `M${x - radius} ${y - 4}h${2 * radius}q0 ${radius + 6} ${-radius} ${radius + 6}t${-radius} ${-radius - 6}z`, class: css("packet", `side${side}`) }),
      h("text", { x, y: y + 7, class: css("packet-points") }, String(points)));
  });
}

function drawSeat(h, frame, seat, place, marked, context) {
  const { view } = frame;
  const { narrow } = context;
  const box = place.seats[seat];
  const side = view.sides[seat];
  const active = view.to_act === seat;
  const over = view.to_act === null;
  const own = seat === context.me;
  const room = Math.floor((box.slim ? 140 : narrow ? (own ? 80 : 98) : box.width - 86) / 9.5);
  const name = context.short(seat, room);
  const points = view.points[seat];
  const note = active ? (view.kind === "play" ? "to play" : "to take")
    : over && view.seats === 1 ? `${(STARS.find(([lowest]) => points >= lowest) || [0, "0"])[1]} ★`
    : over && leads(view, side) ? "wins" : view.seats === 4 ? teamName(side) : `Seat ${seat + 1}`;
  const hand = view.hands[seat].filter((card) => card !== "?");
  const pointsX = box.slim ? box.x + box.width - 10 : narrow ? box.x + (own ? 124 : 172) : box.x + box.width - 12;
  return h("g", {},
    h("rect", { ...boxOf(box), rx: 12, class: css("seat", active && "active") },
      h("title", {}, `${context.names[seat]}: ${plural(points, "point")}, ${plural(view.hands[seat].length, "card")} in hand`)),
    h("rect", { x: box.x, y: box.y + 10, width: 5, height: box.height - 20, rx: 2.5, class: css(`side${side}`) }),
    h("text", { x: box.x + 16, y: box.y + (box.slim ? 19 : 23), class: css("name") }, name),
    h("text", { x: box.x + 16, y: box.y + (box.slim ? 36 : 41), class: css("note", (active || (over && leads(view, side))) && "now") }, note),
    h("text", { x: pointsX, y: box.y + 33, class: css("points") }, String(points)),
    ...hand.map((card) => drawCard(h, card, place.cards.get(card), marked.has(card))),
    ...drawPackets(h, view, side, box, narrow));
}

function markedCards(events) {
  const marked = new Set();
  for (const event of events) {
    if (event.event === "play") event.places.forEach((text) => marked.add(text.split(">")[0]));
    if (event.event === "take" || event.event === "refill") marked.add(event.card);
  }
  return marked;
}

function drawStatus(h, frame, place, context) {
  const { view, entry } = frame;
  const name = (seat) => context.short(seat, context.narrow ? 20 : 18);
  const lines = [];
  if (view.to_act === null) lines.push("All hands are empty.");
  else if (view.to_act === context.you) lines.push(view.kind === "play" ? "Fill two bowls" : "Take from the fridge");
  else lines.push(`${name(view.to_act)} ${view.kind === "play" ? "fills two bowls" : "takes from the fridge"}`);
  if (entry && entry.fault) lines.push(`${name(entry.seat)} is out: ${entry.fault}`);
  return lines.map((line, index) => h("text", {
    x: place.status.x, y: place.status.y + index * place.status.line,
    class: css(index ? "last" : "turn", context.narrow && "small"),
  }, line));
}

// `moving` are cards left out here, because they are on their way.
function picture(h, frame, context, moving) {
  const { view } = frame;
  const place = layout(view, context.narrow, context.me);
  const marked = markedCards(frame.events);
  const hide = (card) => moving.has(card);
  const shown = { ...view, fridge: view.fridge.filter((card) => !hide(card)) };
  const still = {
    ...frame,
    view: { ...view, hands: view.hands.map((hand) => hand.filter((card) => !hide(card))) },
  };
  const bowls = place.bowls.map((box) => {
    const cards = view.bowls[box.name].filter((card) => !hide(card));
    const kept = { view: { ...view, bowls: { ...view.bowls, [box.name]: cards } }, events: moving.size ? [] : frame.events };
    return drawBowl(h, kept, box, place, marked, context);
  });
  return [
    ...drawFridge(h, view, place),
    ...shown.fridge.map((card) => drawCard(h, card, place.cards.get(card), marked.has(card))),
    ...drawStatus(h, frame, place, context),
    ...(context.narrow ? [] : [h("rect", { x: 8, y: 328, width: 944, height: 20, rx: 6, class: css("counter") })]),
    ...bowls,
    ...place.seats.map((_, seat) => drawSeat(h, still, seat, place, marked, context)),
    ...place.backs.map((at) => drawBack(h, at)),
  ];
}

export function draw(h, frame, context) {
  return picture(h, frame, context, new Set());
}

// Cards that lie elsewhere afterwards, each with the points it passes: where it was, perhaps the
// bowl in which it was served, and where it ends.
function journeys(before, after, context) {
  const from = layout(before.view, context.narrow, context.me);
  const to = layout(after.view, context.narrow, context.me);
  const found = new Map();
  for (const [card, end] of to.cards) {
    const start = from.cards.get(card) || (isDealt(card, after) ? from.deck : null);
    if (start && (start.x !== end.x || start.y !== end.y)) found.set(card, [start, end]);
  }
  for (const event of after.events) {
    if (event.event !== "serve") continue;
    const box = from.bowls[BOWLS.indexOf(event.bowl)];
    const seat = from.seats[after.view.sides.indexOf(event.side)];
    const end = { x: seat.x + 20, y: seat.y + seat.height - 40, scale: 0.3 };
    for (const card of event.cards) {
      const over = { x: box.rimX - 24, y: box.rimY - 60, scale: box.scale };
      found.set(card, [from.cards.get(card) || over, over, end]);
    }
  }
  return found;
}

const isDealt = (card, after) => after.view.fridge.includes(card)
  || after.events.some((event) => event.event === "draw" && after.view.hands[event.seat].includes(card));

function along(points, share) {
  const legs = points.length - 1;
  const leg = Math.min(legs - 1, Math.floor(share * legs));
  const part = share * legs - leg;
  const eased = part * part * (3 - 2 * part);
  const [a, b] = [points[leg], points[leg + 1]];
  const mix = (key) => a[key] + (b[key] - a[key]) * eased;
  return `translate(${mix("x")} ${mix("y")}) scale(${mix("scale")})`;
}

export function animate(svg, before, after, h, context, milliseconds) {
  const paths = journeys(before, after, context);
  const marked = markedCards(after.events);
  const movers = [...paths].map(([card, points]) => [drawCard(h, card, points[0], marked.has(card)), points]);
  svg.replaceChildren(...picture(h, after, context, new Set(paths.keys())), ...movers.map(([node]) => node));
  let request = 0;
  let began = null;
  const finish = () => svg.replaceChildren(...draw(h, after, context));
  const step = (now) => {
    began ??= now;
    const share = Math.min(1, (now - began) / Math.max(1, milliseconds));
    for (const [node, points] of movers) node.setAttribute("transform", along(points, share));
    if (share < 1) request = requestAnimationFrame(step);
    else finish();
  };
  request = requestAnimationFrame(step);
  return { stop() { cancelAnimationFrame(request); finish(); } };
}

// What a seat's points changed by, each from the bowl that was served.
export function gains(before, after, context) {
  const place = layout(after.view, context.narrow, context.me);
  return after.events.filter(({ event, points }) => event === "serve" && points).flatMap(({ bowl, side, points }) => {
    const { rimX, rimY } = place.bowls[BOWLS.indexOf(bowl)];
    return place.seats.flatMap((box, seat) => (after.view.sides[seat] !== side ? [] : [{
      seat, by: points, from: { x: rimX, y: rimY }, to: { x: box.x + (context.narrow && !box.slim ? 150 : box.width - 24), y: box.y + 33 },
    }]));
  });
}

// Moves picked on the board: the things touched, one after another, that mean an action.
export function ways(action) {
  const places = action.split(" ").map((place) => place.split(">"));
  const touches = places.map(([card, bowl]) => (bowl ? [card, `bowl ${bowl}`] : [card]));
  return touches.length > 1 ? [touches.flat(), touches.toReversed().flat()] : touches;
}

// Why a touch is no move now, to the one who plays.
export function refusal(touch, made, view) {
  if (view.kind === "take") return "Take a card from the fridge now.";
  const isBowl = touch.startsWith("bowl ");
  if (made.length % 2) return isBowl ? "Your two cards must go into different bowls." : "Pick a bowl for your card.";
  if (isBowl) return "Pick a card from your hand first.";
  if (view.fridge.includes(touch)) return "Put cards into bowls before you take one from the fridge.";
  return "Only cards from your hand can be played.";
}

// What a touch is called, where it needs a button.
export const named = (touch) => (touch.startsWith("bowl ") ? `Bowl ${touch.slice(5)}` : titled(touch));

const MEANINGS = {
  ajitama: "egg", chashu: "pork", kamaboko: "fish cake", menma: "bamboo", negi: "green onion", nori: "seaweed",
  shiitake: "mushroom",
};

// Every symbol and what it means: [drawing, width, height, words].
export function legend(h) {
  const at = { x: 1, y: 1, scale: 0.9 };
  const packet = h("g", {},
    h("path", { d: "M3 10h24q0 18-12 18t-12-18z", class: css("packet", "side0") }),
    h("text", { x: 15, y: 22, class: css("packet-points") }, "5"));
  return [
    ...TYPES.map((type, value) => [drawCard(h, `${type}${value}`, at), 46, 62, `${type} (${MEANINGS[type]}) of weight ${value}`]),
    [drawBack(h, at), 46, 62, "a card that is not known"],
    [packet, 46, 32, "a bowl that was served, with its points"],
    [h("circle", { cx: 10, cy: 10, r: 7, class: css("pip", "type-nori") }), 46, 20, "on a bowl: this kind is in it"],
    [h("circle", { cx: 10, cy: 10, r: 7, class: css("pip", "outside", "missing") }), 46, 20, "on a bowl: a kind that it lacks"],
  ];
}
