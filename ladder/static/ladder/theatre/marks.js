// Where it is worth looking, as steps: mistakes, where the lead changes hands, and where an analysis
// says that the play turned.

const SWING = 1000; // hundredths of a point that make a turning point
const MOST_SWINGS = 8;

// A fault, and every move that was made for a bot after its fault.
export function mistakes(frames) {
  return steps(frames, (frame) => frame.entry?.fault || frame.entry?.auto);
}

// Steps after which another side is alone in front.
export function turningPoints(frames, sides) {
  let front = null;
  return steps(frames, (frame) => {
    const leader = leading(frame.view.points, sides);
    if (leader === null || leader === front) return false;
    const changed = front !== null;
    front = leader;
    return changed;
  });
}

function leading(points, sides) {
  const best = Math.max(...points);
  const ahead = new Set(sides.filter((_, seat) => points[seat] === best));
  return ahead.size === 1 && new Set(sides).size > 1 ? [...ahead][0] : null;
}

function steps(frames, wanted) {
  return frames.filter((frame) => !frame.beat && wanted(frame)).map((frame) => frame.step);
}

// The next mark after a step; from the last one on, the first again.
export function next(marks, step) {
  return marks.find((mark) => mark > step) ?? marks[0];
}

// Where what a seat may expect changes most, the largest first: its `step`, and what every seat could
// expect `before` and `after`.
export function swings({ curve }) {
  const changes = curve.slice(1).map(({ step, expected, errors }, at) => ({
    step, before: curve[at].expected, after: expected,
    by: Math.max(...expected.map((value, seat) => Math.abs(value - curve[at].expected[seat]) - errors[seat])),
  }));
  return changes.filter(({ by }) => by >= SWING).toSorted((a, b) => b.by - a.by).slice(0, MOST_SWINGS);
}
