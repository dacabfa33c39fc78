// Serves the richest bowl it can, and otherwise makes open bowls more varied. It looks one action
// ahead and needs nothing but the view.

const POINTS = [0, 0, 1, 2, 3, 5, 7, 10]; // by the number of types in a bowl

function worth(cards) {
  const types = new Set(cards.map((card) => card.slice(0, -1))).size;
  const total = cards.reduce((sum, card) => sum + Number(card.slice(-1)), 0);
  const served = total >= 14 || types === 7;
  return served ? POINTS[types] : 0.4 * POINTS[types] - 0.05 * total;
}

// +1 if the bowl serves our side when it is completed, -1 if it serves another.
function sign(view, bowl) {
  const owner = view.owners[bowl];
  return owner === null || owner === view.sides[view.seat] ? 1 : -1;
}

function gain(view, card, bowl) {
  const cards = view.bowls[bowl];
  return sign(view, bowl) * (worth([...cards, card]) - worth(cards));
}

function score(view, action) {
  if (view.kind === "play") {
    return action.split(" ").reduce((sum, place) => sum + gain(view, ...place.split(">")), 0);
  }
  return Math.max(...Object.keys(view.bowls).map((bowl) => gain(view, action, bowl)));
}

function decide(view) {
  let best = view.legal[0];
  for (const action of view.legal) {
    if (score(view, action) > score(view, best)) best = action;
  }
  return best;
}
