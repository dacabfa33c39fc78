// What happened, in words. The film brings the sentences; here they meet faults and the result.

export function cpuTime(microseconds) {
  if (!microseconds) return ""; // not measured, or a person's
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(1)} ms`;
  return `${(microseconds / 1e6).toFixed(2)} s`;
}

export function createTeller(film, faults) {
  const name = (seat) => film.names[seat];

  function fault(entry) {
    const known = faults.find((one) => one.seat === entry.seat);
    return known?.sentence ?? `${entry.words}.`;
  }

  // `said` is one sentence of the step, or all of them.
  function told(frame, said) {
    const { entry } = frame;
    if (!entry) return "The table is set.";
    if (entry.fault) return `${name(entry.seat)} failed: ${fault(entry)}`;
    const auto = entry.auto && frame.beat === 0 ? "Played for it after its fault: " : "";
    return `${auto}${said || `${name(entry.seat)} moves unseen`}.`;
  }

  return {
    name,

    // A move as the list shows it, below the name of who made it. A seat that may not see what was
    // decided sees what it led to.
    move(frame) {
      const { entry } = frame;
      if (entry.fault) return `failed: ${fault(entry)}`;
      return frame.move || frame.told[0] || "moves unseen";
    },

    caption: (frame) => told(frame, frame.said),
    whole: (frame) => told(frame, frame.told.join(". ")),
    result: () => resultWords(film),
  };
}

// A film that has a reader calls this seat "you", as its sentences do.
function resultWords(film) {
  if (!film.result) return "";
  const name = (seat) => (seat === film.you ? "You" : film.names[seat]);
  const { places, points, reason, notes } = film.result;
  const seats = places.map((_, seat) => seat);
  const score = (seat) => `${points[seat]}${notes[seat] ? ` ${notes[seat]}` : ""}`;
  if (seats.length === 1) {
    return `${name(0)} ${film.you === 0 ? "end" : "ends"} with ${score(0)} ${film.points_name}: ${reason}.`;
  }
  const first = seats.filter((seat) => places[seat] === 1);
  const together = new Set(first.map((seat) => film.sides[seat])).size === 1;
  const verb = together ? (first.length > 1 || first[0] === film.you ? "win" : "wins") : "share the first place";
  const scores = seats.map((seat) => `${name(seat)} ${score(seat)}`).join(", ");
  return `${first.map(name).join(" and ")} ${verb}: ${reason}. ${capital(film.points_name)}: ${scores}.`;
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

// Names in the room there is: cut so that no two look the same.
/** @param {string[]} names @param {number} room - letters */
export function shorten(names, room) {
  let cut = names.map((name) => (name.length > room ? `${name.slice(0, Math.max(1, room - 1))}…` : name));
  // Alike at the beginning: they differ at the end, where twins have their number, or only by their seat.
  const tail = (name) => Math.min(name.length - 1, Math.max(4, Math.floor(room / 2)));
  const ways = [
    (name) => `${name.slice(0, Math.max(1, room - tail(name) - 1))}…${name.slice(-tail(name))}`,
    (name, at) => `${name.slice(0, Math.max(1, room - 3))}…#${at + 1}`,
  ];
  for (const way of ways) {
    const last = cut;
    const isAlike = (at) => names[at].length > room && last.filter((one) => one === last[at]).length > 1;
    cut = last.map((one, at) => (isAlike(at) ? way(names[at], at) : one));
  }
  return cut;
}
