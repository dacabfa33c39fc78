// Draws a table of Hot Ramen: Marketplace and Kitchen, the cook's counter, and a card per seat.

const C = "b-hot-ramen-";
const COLOURS = {
  W: "white", G: "green", Y: "yellow", R: "red", B: "blue", O: "orange", J: "joker",
};
const SYMBOLS = { P: "pepper", R: "ramen", M: "money", J: "wild", X: "multi" };

// Each symbol in a box from -10 to 10.
const SHAPES = {
  P: [
    "M-8,-3 C-9,4 -3,9 9,9 C4,6 3,2 2,-3 C1,-7 -7,-7 -8,-3 Z",
    "M-4,-6 Q-4,-10 1,-11 L2,-9 Q-1,-8 -1,-6 Z",
  ],
  R: [
    "M-10,0 H10 C10,5 7,8 4,8 V10 H-4 V8 C-7,8 -10,5 -10,0 Z",
    "M-7,-1 Q-4,-7 -1,-1 Z M-1,-1 Q2,-7 5,-1 Z",
    "M3,-1 L8,-11 L10,-10 L6,-1 Z",
  ],
  J: ["M0,-9 L2.6,-3 L9,-2.6 L4.2,1.7 L5.6,8 L0,4.6 L-5.6,8 L-4.2,1.7 L-9,-2.6 L-2.6,-3 Z"],
};
const SPREAD = {
  1: { scale: 1.5, at: [[0, 0]] },
  2: { scale: 0.95, at: [[-9, -8], [9, 8]] },
  3: { scale: 0.85, at: [[0, -10], [-11, 8], [11, 8]] },
};

export function viewBox(seats, narrow, me = null) {
  const { width, height } = layout(seats, narrow, me);
  return `0 0 ${width} ${height}`;
}

// Where a seat's card stands among the others: whoever plays has the last one.
const standing = (seat, seats, me) => (me === null ? seat : (seat - me - 1 + seats) % seats);

function layout(seats, narrow, me) {
  if (narrow) {
    const columns = seats > 2 ? 2 : 1;
    const card = { width: columns > 1 ? 189 : 382, height: columns > 1 ? 152 : 134, columns, top: 306, left: 4, gap: 4 };
    return {
      width: 390,
      height: card.top + Math.ceil(seats / columns) * (card.height + 4),
      market: { x: 4, y: 4, width: 382, height: 78 },
      kitchen: { x: 4, y: 86, width: 382, height: 34 },
      counter: { x: 4, y: 124, width: 382, height: 178 },
      table: { x: 10, y: 152, width: 370, height: 78 },
      pepper: { x: 10, y: 234, width: 183, height: 64 },
      money: { x: 197, y: 234, width: 183, height: 64 },
      card, me,
    };
  }
  const columns = seats === 2 || seats === 4 ? 2 : 3;
  const card = { width: (944 - 10 * (columns - 1)) / columns, height: seats < 4 ? 222 : 138, columns, top: 328, left: 8, gap: 10 };
  return {
    width: 960,
    height: card.top + Math.ceil(seats / columns) * (card.height + 8),
    market: { x: 8, y: 8, width: 540, height: 92 },
    kitchen: { x: 556, y: 8, width: 396, height: 92 },
    counter: { x: 8, y: 108, width: 944, height: 212 },
    table: { x: 24, y: 144, width: 440, height: 104 },
    pepper: { x: 480, y: 144, width: 226, height: 104 },
    money: { x: 714, y: 144, width: 226, height: 104 },
    last: { x: 24, y: 255, room: 110 },
    card, me,
  };
}

export function draw(h, frame, context) {
  const { view } = frame;
  const place = layout(view.seats, context.narrow, context.me);
  const hot = touched(frame);
  return [
    market(h, view, place, hot),
    kitchen(h, view, place),
    counter(h, frame, context, place, hot),
    ...view.players.map((player, seat) => card(h, frame, context, place, hot, seat)),
  ];
}

// Rolled dice tumble to a rest.
export function animate(svg, before, after, h, context, milliseconds) {
  const finish = () => svg.replaceChildren(...draw(h, after, context));
  finish();
  const rolled = after.events.some((event) => event.event === "roll");
  const dice = rolled ? [...svg.querySelectorAll(`.${C}tumbles`)] : [];
  const rest = dice.map((die) => die.getAttribute("transform"));
  let request = 0;
  let began = null;
  const step = (now) => {
    began ??= now;
    const left = 1 - Math.min(1, (now - began) / Math.max(1, milliseconds));
    if (left === 0) return finish();
    dice.forEach((die, index) => {
      const turn = (index % 2 ? -540 : 540) * left * left;
      const hop = 22 * left * Math.abs(Math.sin(left * 9 + index));
      die.setAttribute("transform", `${rest[index]} translate(0 ${-hop}) rotate(${turn} 25 25)`);
    });
    request = requestAnimationFrame(step);
  };
  if (dice.length) request = requestAnimationFrame(step);
  return { stop() { cancelAnimationFrame(request); finish(); } };
}

// Which zones the last step changed: "table", "market", and per seat "fresh/0", "hp/1" and so on.
function touched(frame) {
  const zones = new Set();
  for (const event of frame.events) {
    const words = (event.action ?? "").split(" ");
    const own = (zone) => zones.add(`${zone}/${event.seat}`);
    if (event.event === "roll") zones.add("table");
    else if (event.event === "refill") own("pouch");
    else if (event.event === "discard") own("trash");
    else if (event.event === "hit") own("hp");
    else if (event.event === "serve") ["table", "pepper", "money"].forEach((z) => zones.delete(z));
    else if (event.event === "pick") {
      if (words[1] === "R") own("fresh");
      else zones.add(words[1] === "P" ? "pepper" : "money");
    } else if (event.event === "spend") {
      if (words[0] === "buy") own("trash");
      if (words[0] === "buy" || words[0] === "recycle") zones.add("market");
      if (words[0] === "joker") own("pouch");
      if (words[0] === "heal") own("hp");
      if (words[0] === "draw" || words[0] === "reroll") zones.add("table");
      if (words[0] === "trash") own("trash");
    }
  }
  return zones;
}

function market(h, view, place, hot) {
  const { x, y, width, height } = place.market;
  const dice = [...view.market];
  if (view.jokers) dice.push("J");
  const step = Math.min(60, (width - 16) / 6.6);
  const jokers = `× ${view.jokers}`;
  return h(
    "g",
    {},
    panel(h, place.market, hot.has("market")),
    label(h, x + 12, y + 20, "Market: $2 per die", "title"),
    ...dice.map((die, index) => {
      const size = step - 8;
      const left = x + 12 + index * step;
      return h(
        "g",
        { "data-pick": `market ${die}` },
        h("rect", { class: `${C}reach`, x: left - 3, y: y + height - size - 7, width: size + 6, height: size + 6 }),
        bareDie(h, left, y + height - size - 4, size, die),
        die === "J" ? label(h, left + size + 6, y + height - 20, jokers, "number") : "",
      );
    }),
  );
}

function kitchen(h, view, place) {
  const { x, y, width, height } = place.kitchen;
  const low = height < 60;
  const size = low ? 24 : width > 250 ? 30 : 24; // all seven colours fit
  return h(
    "g",
    {},
    panel(h, place.kitchen, false),
    label(h, x + 12, y + (low ? 22 : 20), `Kitchen, ${view.kitchen.length} dice`, "title"),
    ...(low ? tally(h, x + 150, y + 5, size, view.kitchen) : tally(h, x + 12, y + 42, size, view.kitchen)),
  );
}

function counter(h, frame, context, place, hot) {
  const { view } = frame;
  const { x, y } = place.counter;
  const nodes = [panel(h, place.counter, false)];
  if (view.to_act === null) {
    const best = Math.max(...view.points);
    const winners = context.names.flatMap((_, seat) => (view.points[seat] === best ? [seat] : []));
    nodes.push(
      label(h, x + 16, y + 24, "The play is over", "title"),
      symbol(h, "R", x + 60, y + 90, 3.4, "bowl"),
      label(h, x + 110, y + 98, winners.length > 1 ? `${winners.length} players` : winners[0] === context.you ? "You" : context.short(winners[0], 20), "winner"),
      label(h, x + 110, y + 122, winners.length > 1 ? "share the win" : winners[0] === context.you ? "win" : "wins", "title"),
    );
  } else {
    const cash = view.players[view.to_act].cash;
    const narrow = context.narrow;
    nodes.push(
      label(h, x + 16, y + (narrow ? 20 : 24), asked(view, context), "title"),
      zone(h, place.table, "Table", view.table, "table", hot, narrow),
      zone(h, place.pepper, `Pepper: ${view.damage} damage`, view.pepper, "pepper", hot, narrow),
      zone(h, place.money, `Money: $${cash}`, view.money, "money", hot, narrow),
    );
  }
  if (!place.last) return h("g", {}, ...nodes); // a small screen has the story right below
  const lines = frame.entry ? frame.told.slice(0, 3) : [`${context.names[view.first]} rolled the most peppers and starts`];
  lines.forEach((line, index) => {
    const at = place.last.y + 18 + index * 17;
    nodes.push(label(h, place.last.x, at, cut(line, place.last.room), "story"));
  });
  return h("g", {}, ...nodes);
}

function asked(view, context) {
  const isYou = view.to_act === context.you;
  const name = isYou ? "You" : context.short(view.to_act, 18);
  if (view.kind === "leftover") return `${name} ${isYou ? "discard" : "discards"} leftovers`;
  return `${name} ${view.kind === "pick" ? (isYou ? "pick from the roll" : "picks from the roll") : "may roll, pay or stop"}`;
}

function zone(h, box, title, dice, kind, hot, narrow) {
  const full = box;
  const isTable = kind === "table";
  const size = isTable ? (narrow ? 52 : 79) : narrow ? 36 : 40;
  const room = box.width - 24 - size;
  const step = dice.length > 1 ? Math.min(size + 8, room / (dice.length - 1)) : 0;
  const symbolOf = { pepper: "P", money: "M" }[kind];
  return h(
    "g",
    {},
    h("rect", {
      class: `${C}zone${hot.has(kind) ? ` ${C}hot` : ""}`,
      x: full.x, y: full.y, width: full.width, height: full.height, rx: 10,
    }),
    label(h, full.x + 12, full.y + (narrow ? 16 : 19), title, "label"),
    ...dice.map((die, index) => {
      const left = full.x + 12 + index * step;
      const top = full.y + (narrow ? 22 : isTable ? 23 : 38);
      if (!isTable) return stampedDie(h, left, top, size, die, symbolOf);
      return tableDie(h, left, top, size, die);
    }),
  );
}

// What a seat's HP changed by: the pepper that was served, or the money that healed.
export function gains(before, after, context) {
  const place = layout(after.view.seats, context.narrow, context.me);
  return after.view.points.flatMap((points, seat) => {
    const by = points - before.view.points[seat];
    const { x, y, width, height } = by > 0 ? place.money : place.pepper;
    const own = cardAt(place, seat, after.view.seats, context.narrow);
    const from = { x: x + width / 2 + 40 * (seat - (after.view.seats - 1) / 2), y: y + height / 2 };
    return by ? [{ seat, by, from, to: { x: own.x + place.card.width - 40, y: own.y + 30 } }] : [];
  });
}

// The corner of a seat's card.
function cardAt({ card: { width, height, columns, top, left, gap }, me }, seat, seats, narrow) {
  const at = standing(seat, seats, me);
  return { x: left + (at % columns) * (width + gap), y: top + Math.floor(at / columns) * (height + (narrow ? 4 : 8)) };
}

function card(h, frame, context, place, hot, seat) {
  const { view } = frame;
  const player = view.players[seat];
  const { width, height } = place.card;
  const { x, y } = cardAt(place, seat, view.seats, context.narrow);
  const most = view.seats === 2 ? 20 : 30;
  const acting = view.to_act === seat;
  const lost = frame.events
    .filter((event) => event.event === "hit" && event.seat === seat)
    .reduce((sum, event) => sum + event.lost, 0);
  const loss = lost ? ` (−${lost})` : "";
  const credit = player.cash && !acting ? `, $${player.cash}` : "";
  const hp = player.out ? `out${loss}` : `${player.hp} HP${loss}${credit}`;
  const two = width < 200; // the name has a line of its own
  const taken = two ? 30 : Math.max(130, 40 + 9.5 * (hp.length + (acting ? 2 : 0)));
  const name = context.short(seat, Math.min(20, Math.floor((width - taken) / 9.5)));
  const words = player.out ? `out since turn ${player.out}` : `${player.hp} HP, $${player.cash}`;
  const state = acting ? `${C}acting` : player.out ? `${C}out` : "";
  const down = y + (two ? 18 : 0);
  const nodes = [
    h("title", {}, `${context.names[seat]}: ${words}`),
    h("rect", { class: `${C}panel ${state}`, x, y, width, height, rx: 12 }),
    h("rect", { class: `${C}seat${seat}`, x, y: y + 12, width: 6, height: height - 24, rx: 3 }),
    label(h, x + 16, y + 21, `${acting ? "▸ " : ""}${name}`, "name"),
    label(h, two ? x + 16 : x + width - 14, down + 21, hp, hot.has(`hp/${seat}`) ? "changed" : "name", two ? "start" : "end"),
    h("rect", { class: `${C}bar`, x: x + 16, y: down + 28, width: width - 30, height: 7, rx: 3.5 }),
  ];
  if (!player.out) {
    const filled = ((width - 30) * player.hp) / most;
    const middle = x + width / 2 + 2;
    const room = width / 2 - 22;
    const large = height > 200;
    nodes.push(
      h("rect", { class: `${C}health`, x: x + 16, y: down + 28, width: filled, height: 7, rx: 3.5 }),
      ramen(h, x + 16, down + 40, room, "Leftover", player.leftover, false, acting, large),
      ramen(h, middle, down + 40, room, "Fresh", player.fresh, hot.has(`fresh/${seat}`), false, large),
      ...pile(h, x + 16, down + (large ? 134 : 90), "Pouch", player.pouch, hot.has(`pouch/${seat}`), large, room),
      ...pile(h, middle, down + (large ? 134 : 90), "Trash", player.trash, hot.has(`trash/${seat}`), large, room),
    );
  }
  return h("g", {}, ...nodes);
}

function ramen(h, x, y, width, title, dice, hot, acting, large) {
  const size = large ? 52 : 27;
  const total = dice.reduce((sum, die) => sum + Number(die.split(":")[1]), 0);
  const step = dice.length > 1 ? Math.min(size + 4, (width - size) / (dice.length - 1)) : 0;
  return h(
    "g",
    {},
    label(h, x, y + 12, total ? `${title} ${total}` : title, hot ? "changed-label" : "label"),
    ...dice.map((die, index) => h(
      "g", { "data-pick": acting ? `leftover ${die}` : null }, stampedDie(h, x + index * step, y + 17, size, die, "R"),
    )),
  );
}

function pile(h, x, y, title, letters, hot, large, room) {
  const colours = new Set(letters).size;
  const size = Math.min(large ? 30 : 19, (room + 4) / Math.max(1, colours) - 4); // all colours fit
  return [
    label(h, x, y + 10, `${title} ${letters.length}`, hot ? "changed-label" : "label"),
    ...tally(h, x, y + (large ? 20 : 15), size, letters),
  ];
}

// Dice of a pile as one small square per colour, with how many there are.
function tally(h, x, y, size, letters) {
  const present = Object.keys(COLOURS).filter((letter) => letters.includes(letter));
  return present.map((letter, index) => {
    const count = letters.split(letter).length - 1;
    const left = x + index * (size + 4);
    return h(
      "g",
      { class: `${C}die-${COLOURS[letter]}` },
      h("title", {}, `${count} ${COLOURS[letter]}`),
      h("rect", { class: `${C}body`, x: left, y, width: size, height: size, rx: size / 4.5 }),
      label(h, left + size / 2, y + size * 0.72, String(count), "count", "middle"),
    );
  });
}

function body(h, x, y, size, letter, title, ...marks) {
  return h(
    "g",
    { class: `${C}die-${COLOURS[letter]}`, transform: `translate(${x} ${y}) scale(${size / 50})` },
    h("title", {}, title),
    h("rect", { class: `${C}body`, x: 1, y: 1, width: 48, height: 48, rx: 11 }),
    h("path", { class: `${C}shine`, d: "M12,5 H38" }),
    ...marks,
  );
}

// A die that shows no face: in the Marketplace, or waiting for a roll.
function bareDie(h, x, y, size, letter) {
  return body(h, x, y, size, letter, `${COLOURS[letter]} die`, symbolHint(h, letter));
}

// What a colour mostly brings, faintly.
function symbolHint(h, letter) {
  const main = { W: "R", G: "R", Y: "M", R: "P", B: "R", O: "P", J: "J" }[letter];
  return symbol(h, main, 25, 26, 1.2, "faint");
}

// A die on the Table: a group of its own, so that it can tumble.
function tableDie(h, x, y, size, text) {
  const [letter, face] = text.split(":");
  if (!face) return bareDie(h, x, y, size, letter);
  const place = `translate(${x} ${y}) scale(${size / 50})`;
  const pick = `face ${face[0]}`;
  return h("g", { class: `${C}tumbles`, transform: place, "data-pick": pick }, rolledDie(h, letter, face));
}

function rolledDie(h, letter, face) {
  if (face === "-") return body(h, 0, 0, 50, letter, `${COLOURS[letter]} die: blank`);
  const kind = face[0];
  const title = `${COLOURS[letter]} die: ${SYMBOLS[kind]} ${face.slice(1)}`;
  if (kind === "X") {
    return body(h, 0, 0, 50, letter, title, label(h, 25, 34, `×${face[1]}`, "multi", "middle"));
  }
  const { scale, at } = SPREAD[face[1] ?? 1];
  const marks = at.map(([dx, dy]) => symbol(h, kind, 25 + dx, 25 + dy, scale, "mark"));
  return body(h, 0, 0, 50, letter, title, ...marks);
}

function stampedDie(h, x, y, size, text, kind) {
  const [letter, value] = text.split(":");
  return body(
    h, x, y, size, letter, `${COLOURS[letter]} die: ${SYMBOLS[kind]} ${value}`,
    symbol(h, kind, 16, 17, 1, "mark"),
    label(h, 35, 44, value, "stamp", "middle"),
  );
}

function symbol(h, kind, x, y, scale, style) {
  const coin = () => [
    h("circle", { r: 9 }),
    h("path", { class: `${C}coin`, d: "M3.6,-2.8 C2.6,-5.4 -3.6,-5.2 -3.2,-2.2 C-2.8,0.6 3.6,-0.6 3.2,2.4 C2.8,5.2 -3.2,5.2 -3.8,2.6 M0,-7 V7" }),
  ];
  const shapes = kind === "M" ? coin() : SHAPES[kind].map((d) => h("path", { d }));
  const transform = `translate(${x} ${y}) scale(${scale})`;
  return h("g", { class: `${C}${style}`, transform }, ...shapes);
}

function panel(h, { x, y, width, height }, hot) {
  return h("rect", { class: `${C}panel${hot ? ` ${C}hot` : ""}`, x, y, width, height, rx: 12 });
}

function label(h, x, y, words, style, anchor = "start") {
  return h("text", { class: `${C}${style}`, x, y, "text-anchor": anchor }, words);
}

function cut(words, length) {
  return words.length > length ? `${words.slice(0, length - 1)}…` : words;
}

// Moves picked on the board: the things touched, one after another, that mean an action. What has no
// place on the board, such as a verb, is touched in the bar below it.
export function ways(action) {
  const [verb, ...rest] = action.split(" ");
  if (verb === "pick") return [[`face ${rest[0]}`, ...(rest.length > 1 ? [`say ${action}`] : [])]];
  if (verb === "wild") return [["face J", `say ${action}`]];
  if (verb === "reroll") return [["reroll", `say ${action}`]];
  if (verb === "trash") return [["trash", `trash ${rest[0]}`, `say ${action}`]];
  if (verb === "buy") return [[`market ${rest[0]}`]];
  if (verb === "joker") return [["market J"]];
  if (verb === "discard") return [[`leftover ${rest[0]}`]];
  return [];
}

const TRASHED = {
  leftover: "A leftover die", fresh: "A fresh die", pepper: "A pepper die", money: "A money die", table: "A die on the table",
  trash: "A die in the trash",
};

// Why a touch is no move now, to the one who plays.
export function refusal(touch, made, view) {
  const [what, which] = touch.split(" ");
  if (view.kind === "leftover") return "Discard a leftover die first.";
  if (made.length) return "Finish the choice that you began, or go back.";
  const price = which === "J" ? 3 : 2;
  if (what === "market" && view.players[view.to_act].cash < price) return `You need $${price} to buy this die.`;
  if (what === "leftover") return "Leftovers are discarded when your turn begins; now it costs $2 to trash one.";
  if (what !== "face") return null;
  if (view.kind !== "pick") return "You have kept dice from this roll: roll again or stop.";
  if (which === "-") return "A blank die cannot be kept.";
  if (which === "P") return "You keep peppers only while your Pepper zone is empty.";
  if (which === "R") return "You keep ramen only while you have no Fresh ramen.";
  const symbols = view.table.some((die) => SHAPES[die.split(":")[1][0]] || die.includes(":M"));
  return `A multiplier is kept with a symbol: ${symbols ? "pick the symbol" : "you rolled none"}.`;
}

// What a touch is called, where it needs a button.
export function named(touch) {
  const [verb, what] = touch.split(" ");
  if (verb === "reroll") return "Pay $2 to roll a die again …";
  if (verb === "trash") return what ? `${TRASHED[what]} …` : "Pay $2 to trash a die …";
  if (touch === "face J") return "Keep jokers …";
  if (verb === "face") return `Keep all ${SYMBOLS[what]} …`;
  return null;
}

// Every symbol and what it means: [drawing, width, height, words].
export function legend(h) {
  const face = (text, words) => [tableDie(h, 2, 2, 40, text), 44, 44, words];
  const die = (letter, words) => [bareDie(h, 2, 2, 40, letter), 44, 44, words];
  return [
    face("R:P2", "pepper: damage to everyone else when you serve"),
    face("B:R2", "ramen: soaks up damage that others serve"),
    face("Y:M2", "money: to spend in this turn"),
    face("W:-", "blank: roll it again or leave it"),
    face("J:J", "wild: one of any symbol"),
    face("J:X2", "multi: all that is kept with it counts twice"),
    die("W", "white die: ramen, a little money, half blank"),
    die("G", "green die: mostly ramen"),
    die("Y", "yellow die: mostly money"),
    die("R", "red die: peppers"),
    die("B", "blue die: much ramen"),
    die("O", "orange die: many peppers"),
    die("J", "joker: returns to the market after use"),
    [stampedDie(h, 2, 2, 40, "B:4", "R"), 44, 44, "a die that was kept, with what it is worth"],
  ];
}
