// Names in the room there is: cut so that no two look the same.

/** @param {string[]} names @param {number} room - letters */
export function shorten(names, room) {
  const cut = names.map((name) => (name.length > room ? `${name.slice(0, Math.max(1, room - 1))}…` : name));
  return names.map((name, at) => {
    if (name.length <= room || cut.filter((one) => one === cut[at]).length < 2) return cut[at];
    // Alike at the beginning: they differ at the end, where twins have their number.
    const tail = Math.min(name.length - 1, Math.max(4, Math.floor(room / 2)));
    return `${name.slice(0, Math.max(1, room - tail - 1))}…${name.slice(-tail)}`;
  });
}
