// What happened at the counter, in words; an empty text says that it need not be told.

const KEPT = { P: "pepper", M: "money", R: "ramen" };

export function tell(event, name) {
  const who = event.seat === undefined ? "" : name(event.seat);
  switch (event.event) {
    case "turn": return `${who}'s turn`;
    case "roll": return `${who} rolls ${event.table.join(" ")}`;
    case "pick": return `${who} keeps ${KEPT[event.action.split(" ")[1]] ?? event.action}, ${event.value} in all`;
    case "spend": return `${who} pays for: ${event.action}`;
    case "refill": return `${who} shakes the trash back into the pouch`;
    case "discard": return `${who} throws ${event.die} away`;
    case "serve": return `${who} serves ${event.damage} damage`;
    case "hit": return `${who} loses ${event.lost} and has ${event.hp} HP`;
    case "out": return `${who} is out`;
    case "over": return "";
    default: return null;
  }
}
