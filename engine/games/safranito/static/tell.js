// What happened at the market, in words; an empty text says that it need not be told.

export function tell(event, name) {
  const who = event.seat === undefined ? "" : name(event.seat);
  switch (event.event) {
    case "slide": return event.at === "out"
      ? `${who}'s disc hops over the rim`
      : `${who}'s disc comes to lie ${event.at === "nowhere" ? "beside everything" : `on ${event.at}`}`;
    case "lost": return `${who} finds no place to launch a disc`;
    case "space": return `${who} wins the space ${event.space}`;
    case "use": return `${who} uses ${event.space}`;
    case "decline": return `${who} does not use ${event.space}`;
    case "look": return `${who} looks at ${event.cards} cards`;
    case "bowl": return `the bowl of ${event.spice} opens at a price of ${event.price}`;
    case "sell": return `${who} sells ${event.cards} ${event.spice} for ${event.earned}`;
    case "buy": return `${who} buys ${event.spice} for ${event.paid}`;
    case "no deal": return `${who} does not buy ${event.spice}`;
    case "too dear": return `${who} cannot pay ${event.sum} for ${event.spice}`;
    case "cook": return `${who} cooks ${event.dish.replaceAll("+", ", ")}`;
    case "round": return `round ${event.round} begins; new on the market: ${event.spices.join(", ")}`;
    case "refill": return "the spices are shuffled anew";
    default: return null;
  }
}
