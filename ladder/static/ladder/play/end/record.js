// Your record against those you played with, kept in this browser alone.

const KEY = "ladle-record";
const MOST = 200; // opponents remembered; the one met longest ago is forgotten first

const load = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // unreadable, or a browser that stores nothing
  }
};

/** What a result is to a seat: "won", "drawn" or "lost". */
export function outcome({ places }, sides, seat) {
  if (places[seat] !== 1) return "lost";
  return places.some((place, other) => place === 1 && sides[other] !== sides[seat]) ? "drawn" : "won";
}

/** Count a result against these opponents; the record with it. */
export function count(game, opponents, result) {
  const record = load();
  const key = `${game}: ${[...opponents].sort().join(", ")}`;
  const { won = 0, drawn = 0, lost = 0 } = record[key] ?? {};
  const now = { won, drawn, lost };
  now[result] += 1;
  delete record[key]; // to its end: the newest
  const kept = Object.entries({ ...record, [key]: now }).slice(-MOST);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)));
  } catch {
    // A browser that stores nothing has a record of one play.
  }
  return now;
}

/** The record in a sentence. */
export function words(opponents, { won, drawn, lost }) {
  const times = (count, one, many) => `${count} ${count === 1 ? one : many}`;
  const draws = drawn ? `, ${times(drawn, "draw", "draws")}` : "";
  return `You against ${opponents.join(" and ")}: ${times(won, "win", "wins")}${draws}, ${times(lost, "loss", "losses")}.`;
}
