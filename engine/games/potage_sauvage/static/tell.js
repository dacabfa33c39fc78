// What happened around the pot, in words; an empty text says that it need not be told.

const RECIPES = { I: "insects", V: "vegetables", F: "fruits", T: "trash", W: "water" };

function signed(number) {
  return number < 0 ? `−${-number}` : `+${number}`;
}

export function tell(event, name) {
  const who = event.seat === undefined ? "" : name(event.seat);
  const each = (list, say) => list.map((one, seat) => `${name(seat)} ${say(one)}`).join(", ");
  switch (event.event) {
    case "deal": return `deal ${event.deal}, dealt by ${name(event.dealer)}`;
    case "choose": return event.recipe
      ? `${who} chooses ${RECIPES[event.recipe]}`
      : `${who} has chosen a recipe`;
    case "reveal": return `the recipes: ${each(event.recipes, (one) => RECIPES[one])}`;
    case "play": return `${who} plays ${event.card}, the pot stands at ${event.total}`;
    case "take": return `the pot boils: ${who} takes ${event.cards.length} cards`;
    case "score": return `deal ${event.deal} is served: ${each(event.scores, signed)}`;
    default: return null;
  }
}
