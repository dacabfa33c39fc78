// What a game's board answers to touches that are no moves: positions as JSON come in, answers go out.
//
// A position has a frame, the seat that is asked, and its actions. All that a board draws with
// `data-pick` is touched, at first and after each first touch that leads on.
import { readFileSync } from "node:fs";

const { board: path, positions } = JSON.parse(readFileSync(0, "utf8"));
const board = await import(path);

const touchable = new Set();
const h = (tag, attributes, ...children) => {
  if (attributes?.["data-pick"]) touchable.add(attributes["data-pick"]);
  return { tag, children };
};

const answers = positions.map(({ frame, me, actions }) => {
  const { view } = frame;
  const names = view.points.map((_, seat) => `Seat ${seat + 1}`);
  touchable.clear();
  board.draw(h, frame, { names, seats: names.length, narrow: false, me, you: me, short: (seat) => names[seat] });
  const ways = actions.flatMap((action) => board.ways(action, view));
  const firsts = [...new Set(ways.map(([first]) => first))].filter((touch) => touchable.has(touch));
  return [[], ...firsts.map((touch) => [touch])].flatMap((made) => {
    const open = ways.filter((way) => made.every((touch, at) => way[at] === touch) && way.length > made.length);
    if (made.length && !open.length) return [];
    const next = new Set(open.map((way) => way[made.length]));
    return [...touchable].filter((touch) => !next.has(touch) && !made.includes(touch))
      .map((touch) => ({ touch, made, answer: board.refusal(touch, made, view) }));
  });
});
process.stdout.write(JSON.stringify(answers));
