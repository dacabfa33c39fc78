// A film tells each frame as what changed since the one before; here frames become whole again.
//
// A step of which there is more than one thing to say is shown in as many beats: frames of the same
// table, each with one sentence. `said` is the sentence, `told` all of the step, `beat` counts them.
// `moves` counts decisions, `turn` the times that another seat decides, `round` names the round.

export function decode(film) {
  const frames = film.frames.flatMap(decoder());
  return { ...film, frames, moves: frames.at(-1).moves };
}

// Takes the frames in their order, one at a time, and gives the beats of each.
export function decoder() {
  let view = {};
  let lines = [];
  let moves = 0;
  let turn = 0;
  let seat = null;
  let round = null;
  return (frame) => {
    view = { ...view, ...frame.view };
    for (const key of frame.gone ?? []) delete view[key];
    const before = lines;
    lines = frame.text.map((line, at) => line ?? before[at]);
    if (frame.entry) {
      moves += 1;
      if (frame.entry.seat !== seat) turn += 1;
      seat = frame.entry.seat;
    }
    const whole = { ...frame, view, text: lines.join("\n"), told: frame.said, moves, turn };
    // A move belongs to the round it was made in: that of the table before it.
    whole.round = frame.entry ? round : roundWords(view);
    round = roundWords(view);
    if (!frame.said.length) return [{ ...whole, said: "", beat: 0 }];
    return frame.said.map((said, beat) => ({ ...whole, said, beat }));
  };
}

// The round or deal a table is in, or null where a game has none.
function roundWords(view) {
  if (view.round !== undefined) return `Round ${view.round}`;
  return view.deal === undefined ? null : `Deal ${view.deal}`;
}
