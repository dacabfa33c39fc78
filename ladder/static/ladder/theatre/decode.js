// A film tells each frame as what changed since the one before; here frames become whole again.

export function decode(film) {
  let view = {};
  let lines = [];
  const frames = film.frames.map((told) => {
    view = { ...view, ...told.view };
    for (const key of told.gone ?? []) delete view[key];
    const before = lines;
    lines = told.text.map((line, at) => line ?? before[at]);
    return { ...told, view, text: lines.join("\n") };
  });
  return { ...film, frames };
}
