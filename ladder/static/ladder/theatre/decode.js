// A film tells each frame as what changed since the one before; here frames become whole again.
//
// A step of which there is more than one thing to say is shown in as many beats: frames of the same
// table, each with one sentence. `said` is the sentence, `told` all of the step, `beat` counts them.
// Where the game pauses within a step, the beats before show the table as it stood then, and its events.
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
    const scenes = [...(frame.pauses ?? []), { ...frame, said: frame.said.length, events: frame.events.length }];
    const tables = scenes.map((scene, at) => {
      view = { ...view, ...scene.view };
      for (const key of scene.gone ?? []) delete view[key];
      return { until: scene.said, view, events: frame.events.slice(scenes[at - 1]?.events ?? 0, scene.events) };
    });
    const before = lines;
    lines = frame.text.map((line, at) => line ?? before[at]);
    if (frame.entry) {
      moves += 1;
      if (frame.entry.seat !== seat) turn += 1;
      seat = frame.entry.seat;
    }
    const { pauses, ...step } = frame;
    const whole = { ...step, view, text: lines.join("\n"), told: frame.said, moves, turn };
    // A move belongs to the round it was made in: that of the table before it.
    whole.round = frame.entry ? round : roundWords(view);
    round = roundWords(view);
    if (!frame.said.length) return [{ ...whole, said: "", beat: 0 }];
    return frame.said.map((said, beat) => {
      const { until, ...table } = tables.find((scene) => beat < scene.until) ?? tables.at(-1);
      return { ...whole, ...table, said, beat };
    });
  };
}

// The round or deal a table is in, or null where a game has none.
function roundWords(view) {
  if (view.round !== undefined) return `Round ${view.round}`;
  return view.deal === undefined ? null : `Deal ${view.deal}`;
}
