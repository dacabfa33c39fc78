// A play under way: its film grows until it is over, and the player keeps up with it.

const PERIOD_MS = 2000;

const pause = () => new Promise((done) => setTimeout(done, PERIOD_MS));

// A film from the server; null while nothing is known of the play.
export async function fetchFilm(address, decode) {
  const response = await fetch(address);
  if (response.status === 204) return null;
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return decode(await response.json());
}

// The film of a play, as soon as there is any.
export async function opening(load) {
  for (;;) {
    const film = await load();
    if (film) return film;
    await pause();
  }
}

// `live` of a film: true while it is played, false when only other plays of its match are, and
// nothing once it is stored.
export const isUnderWay = (film) => film.live === true;
export const isUnstored = (film) => film.live !== undefined;

// Lets the film grow as long as `goesOn` says. `load` brings the film as it is now.
export async function follow({ film, player, load, goesOn }) {
  while (goesOn(film)) {
    await pause();
    const now = await load().catch(unlessAway);
    if (now) grow(film, player, now);
  }
}

// A server that cannot be reached for a moment is asked again.
function unlessAway(error) {
  if (error instanceof TypeError) return null;
  throw error;
}

function grow(film, player, now) {
  const known = player.frames;
  const same = isSame(known.at(-1), now.frames[player.last]);
  // What is known stays as it is, so that what is in motion goes on.
  const frames = same ? [...known, ...now.frames.slice(known.length)] : now.frames;
  const ended = player.live && !isUnderWay(now);
  Object.assign(film, now, { frames, live: now.live });
  player.live = isUnderWay(film);
  if (!same) player.recast(frames); // its match was started again, by another worker
  else if (ended || frames.length > known.length) player.grow(frames);
}

function isSame(one, other) {
  return one.step === other?.step && one.entry?.seat === other.entry?.seat && one.entry?.action === other.entry?.action;
}
