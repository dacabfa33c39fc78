// Optional sounds, off until somebody turns them on. They are synthesised here: no file is loaded.

import { html, icon } from "../dom.js";

const STORED = "ladle-sound";

// What is heard: [hertz, seconds from the start] of each note.
const SOUNDS = {
  move: [[330, 0]],
  gain: [[523, 0], [784, 0.09]],
  loss: [[330, 0], [247, 0.09]],
  turn: [[659, 0]],
  end: [[523, 0], [659, 0.12], [784, 0.24], [1047, 0.36]],
};
const NOTE_SECONDS = 0.16;
const LOUDNESS = 0.12;

let context = null;

function play(name) {
  context ??= new AudioContext();
  context.resume(); // browsers wait for the first touch of a page
  for (const [hertz, after] of SOUNDS[name]) {
    const from = context.currentTime + after;
    const tone = new OscillatorNode(context, { type: "triangle", frequency: hertz });
    const volume = new GainNode(context, { gain: LOUDNESS });
    volume.gain.setValueAtTime(LOUDNESS, from);
    volume.gain.exponentialRampToValueAtTime(0.001, from + NOTE_SECONDS);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + NOTE_SECONDS);
  }
}

// Which sound belongs to a frame, by what it changed: the end, points, or else a move.
function soundOf(before, after, isEnd) {
  if (isEnd) return "end";
  const changes = after.view.points.map((points, seat) => points - before.view.points[seat]);
  if (changes.some((by) => by > 0)) return "gain";
  return changes.some((by) => by < 0) ? "loss" : "move";
}

/** The switch, and `turn` for when a person is asked. It sounds only where a play goes on by one frame. */
export function createSound({ player, film }) {
  let on = recall();
  const button = html("button", { type: "button", class: "button slight sound", onclick: () => set(!on) });

  function set(wanted) {
    on = wanted;
    try { localStorage.setItem(STORED, on ? "on" : "off"); } catch { /* for this visit, then */ }
    show();
    if (on) play("turn");
  }

  function show() {
    button.replaceChildren(icon(on ? "sound" : "silence"));
    button.setAttribute("aria-label", "Sound");
    button.setAttribute("aria-pressed", String(on));
    button.title = on ? "Turn sound off" : "Turn sound on";
  }

  player.listen((before) => {
    if (!on || document.hidden || player.index !== before + 1) return;
    const { frame } = player;
    const last = player.frames[before];
    if (frame.step === last.step && frame.view === last.view) return; // one more sentence on the same table
    play(soundOf(last, frame, player.index === player.last && film.result));
  });

  show();
  return { button, turn: () => { if (on && !document.hidden) play("turn"); } };
}

// Some browsers keep nothing for a page, or for a file.
function recall() {
  try { return localStorage.getItem(STORED) === "on"; } catch { return false; }
}
