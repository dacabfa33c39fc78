// Moves picked on the board: a board names what can be touched (`data-pick`) and, by `ways`, the
// touches that lead to an action. What leads on is marked; the last touch plays.

export function createPicking({ table, board, choose, narrow, wrong }) {
  let actions = [];
  let made = []; // touches so far

  // Those that can still come of the touches made, each with the rest of its way.
  const open = () => actions.flatMap(({ action, ways }) => ways
    .filter((way) => made.every((pick, at) => way[at] === pick))
    .map((way) => ({ action, rest: way.slice(made.length) })));

  function mark() {
    const next = new Set(open().map(({ rest }) => rest[0]));
    table.dataset.touches = String(made.length);
    for (const node of table.querySelectorAll("[data-pick]")) {
      node.classList.toggle("pickable", next.has(node.dataset.pick));
      node.classList.toggle("picked", made.includes(node.dataset.pick));
    }
  }

  function pick(name) {
    made.push(name);
    const left = open();
    const done = left.find(({ rest }) => !rest.length);
    mark();
    if (done) return choose(done.action);
    narrow(new Set(left.map(({ action }) => action)));
  }

  function clear() {
    made = [];
    narrow(null);
    mark();
  }

  table.addEventListener("click", ({ target }) => {
    if (!actions.length) return;
    const node = target.closest(".pickable");
    if (node) return pick(node.dataset.pick);
    if (target.closest(".picked") || !target.closest("[data-pick]")) return clear();
    wrong();
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape" && made.length) clear();
  });
  // The stage draws the board anew whenever it likes.
  new MutationObserver(mark).observe(table, { childList: true });

  return {
    ask(choices, view) {
      actions = choices
        .map(({ action }) => ({ action, ways: board.ways?.(action, view) ?? [] }))
        .filter(({ ways }) => ways.length);
      made = [];
      mark();
      return actions.length > 0;
    },
    clear,
    rest() {
      actions = [];
      made = [];
      mark();
    },
  };
}
