// What happened at a noodle bar, in words; an empty text says that it need not be told.

export function tell(event, name) {
  const who = event.seat === undefined ? "" : name(event.seat);
  switch (event.event) {
    case "play": return `${who} puts ${event.places.map((one) => one.replace(">", " into ")).join(" and ")}`;
    case "serve": return `bowl ${event.bowl} is served for ${event.points}`;
    case "take": return `${who} takes ${event.card} from the fridge`;
    case "refill": return `${event.card} comes into the fridge`;
    case "draw": return `${who} draws a card`;
    case "over": return "all hands are empty";
    default: return null;
  }
}
