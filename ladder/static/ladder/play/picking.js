// Moves picked by touches: a board names what can be touched (`data-pick`) and, by `ways`, the touches
// that lead to an action. What leads on is marked; the last touch plays. A touch that nothing on the
// board stands for, or only something too small for a thumb, is a button in the tray.

const THUMB = 43.5; // pixels: what a thumb hits, less what rounding takes

/** @param {{table: SVGElement, board: any, tray: any, choose: (action: string) => void, narrow: (actions: Set<string> | null) => void, wrong: (pick: string, made: string[]) => void}} given */
export function createPicking({ table, board, tray, choose, narrow, wrong }) {
  let actions = [];
  let asked = false; // where a throw is asked, nothing that is touched is a move
  let made = []; // touches so far
  let view = null;
  let hinted = null; // the touches of the move that a hint shows

  // Those that can still come of the touches made, each with the rest of its way.
  const open = () => actions.flatMap(({ action, words, ways }) => ways
    .filter((way) => made.every((pick, at) => way[at] === pick))
    .map((way) => ({ action, words, rest: way.slice(made.length) })));

  // The touches that lead on, each with its words. One that ends a move, where others go on from there
  // too, has to be touched once more: as itself.
  function following() {
    const next = new Map();
    for (const { action, words, rest } of open()) {
      const touch = rest[0] ?? `say ${action}`;
      const ends = rest.length < 2;
      const known = next.get(touch);
      next.set(touch, known ? board.named?.(touch, view) ?? known : (!ends && board.named?.(touch, view)) || words);
    }
    return next;
  }

  const nodes = () => [...table.querySelectorAll("[data-pick]")].map((node) => /** @type {SVGElement} */ (node));
  const isForThumbs = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return Math.min(width, height) >= THUMB;
  };

  function mark() {
    const next = following();
    const all = nodes();
    const large = new Set(all.filter(isForThumbs).map((node) => node.dataset.pick));
    table.dataset.touches = String(made.length);
    for (const node of all) {
      const { pick: name } = node.dataset;
      node.classList.toggle("pickable", next.has(name));
      node.classList.toggle("picked", made.includes(name));
      node.classList.toggle("hinted", Boolean(hinted) && hinted[made.length] === name);
    }
    tray.show({
      buttons: [...next].filter(([touch]) => !large.has(touch)).map(([touch, words]) => ({
        touch, words, hinted: Boolean(hinted) && (hinted[made.length] ?? touch) === touch, act: () => pick(touch),
      })),
      back: made.length ? clear : null,
    });
  }

  function pick(name) {
    const done = open().find(({ action, rest }) => !rest.length && name === `say ${action}`);
    if (done) return choose(done.action);
    if (hinted && hinted[made.length] !== name) hinted = null;
    made.push(name);
    const left = open();
    if (left.length && left.every(({ action, rest }) => action === left[0].action && !rest.length)) {
      return choose(left[0].action);
    }
    narrow(new Set(left.map(({ action }) => action)));
    mark();
  }

  function clear() {
    made = [];
    narrow(null);
    mark();
  }

  table.addEventListener("click", ({ target }) => {
    if (!asked) return;
    const touched = /** @type {Element} */ (target);
    const node = /** @type {SVGElement | null} */ (touched.closest(".pickable"));
    if (node) return pick(node.dataset.pick);
    const other = /** @type {SVGElement | null} */ (touched.closest("[data-pick]"));
    if (actions.length && (!other || touched.closest(".picked"))) return clear();
    if (!other) return;
    wrong(other.dataset.pick, made);
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && made.length) clear();
  });
  // The stage redraws the board whenever it likes, and in another size.
  const again = () => { if (actions.length) mark(); };
  new MutationObserver(again).observe(table, { childList: true });
  new ResizeObserver(again).observe(table);

  return {
    ask(choices, seen) {
      view = seen;
      asked = true;
      hinted = null;
      actions = choices.map(({ action, words }) => {
        const ways = board.ways?.(action, view) ?? [];
        return { action, words, ways: ways.length ? ways : [[`say ${action}`]] };
      });
      made = [];
      mark();
      return nodes().some((node) => node.classList.contains("pickable"));
    },
    // Shows a move on the board: the touches that make it, one after another.
    hint(action) {
      hinted = actions.find((one) => one.action === action)?.ways[0] ?? null;
      clear();
    },
    clear,
    rest() {
      asked = false;
      actions = [];
      made = [];
      hinted = null;
      mark();
    },
  };
}
