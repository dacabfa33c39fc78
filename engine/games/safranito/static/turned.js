// The board seen from behind one of its edges: quarter turns about its middle, in millimetres.

const EDGES = ["S", "E", "N", "W"]; // as they come to the bottom, a quarter turn each

/** @param {string} bottom - the edge to be seen at the bottom */
export function turned(bottom) {
  const quarters = EDGES.indexOf(bottom);
  const turn = ([x, y], times) => {
    let [px, py] = [x - 200, y - 200];
    for (let at = 0; at < times; at += 1) [px, py] = [py, -px];
    return [px + 200, py + 200];
  };
  return {
    // From the board to the screen and back, y upwards in both.
    to: (point) => turn(point, quarters),
    back: (point) => turn(point, (4 - quarters) % 4),
    edge: (name) => EDGES[(EDGES.indexOf(name) - quarters + 4) % 4],
  };
}
