// What happened, in words. A game may tell its own events (`tell` in its board.js).

export function cpuTime(microseconds) {
  if (microseconds === null || microseconds === undefined) return "";
  if (microseconds < 1000) return `${microseconds} µs`;
  if (microseconds < 1e6) return `${(microseconds / 1000).toFixed(1)} ms`;
  return `${(microseconds / 1e6).toFixed(2)} s`;
}

export function createTeller(board, film, faults) {
  const name = (seat) => film.names[seat];

  function event(told) {
    return board.tell?.(told, name) ?? plainly(told, name);
  }

  function fault(entry) {
    const known = faults.find((one) => one.seat === entry.seat);
    return known?.sentence ?? `${entry.words}.`;
  }

  return {
    name,

    events(frame) {
      return frame.events.map(event).filter(Boolean);
    },

    // A move as the list shows it. A seat that may not see the action sees what it led to.
    move(frame) {
      const { entry } = frame;
      if (entry.fault) return `at fault: ${fault(entry)}`;
      return entry.action ?? (this.events(frame).join("; ") || entry.kind);
    },

    caption(frame) {
      const { entry } = frame;
      if (!entry) return "The table is set.";
      if (entry.fault) return `${name(entry.seat)} is at fault: ${fault(entry)}`;
      const auto = entry.auto ? "Played for it after its fault: " : "";
      const move = `${name(entry.seat)}: ${entry.action ?? entry.kind}`;
      return `${auto}${this.events(frame).join("; ") || move}.`;
    },

    result() {
      return resultWords(film, name);
    },
  };
}

function plainly(event, name) {
  const { event: what, seat, ...facts } = event;
  const told = Object.entries(facts)
    .filter(([, value]) => !(Array.isArray(value) && Array.isArray(value[0])))
    .map(([key, value]) => `${key} ${Array.isArray(value) ? value.join(" ") : value}`);
  return [seat === undefined ? what : `${name(seat)}: ${what}`, ...told].join(", ");
}

function resultWords(film, name) {
  if (!film.result) return "";
  const { places, points, reason, notes } = film.result;
  const seats = places.map((_, seat) => seat);
  const score = (seat) => `${points[seat]}${notes[seat] ? ` ${notes[seat]}` : ""}`;
  if (seats.length === 1) {
    return `${name(0)} ends with ${score(0)} ${film.points_name}: ${reason}.`;
  }
  const first = seats.filter((seat) => places[seat] === 1);
  const together = new Set(first.map((seat) => film.sides[seat])).size === 1;
  const verb = together ? (first.length > 1 ? "win" : "wins") : "share the first place";
  const scores = seats.map((seat) => `${name(seat)} ${score(seat)}`).join(", ");
  return `${first.map(name).join(" and ")} ${verb}: ${reason}. ${capital(film.points_name)}: ${scores}.`;
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
