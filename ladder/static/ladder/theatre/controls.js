// The bar under the table: what happened, the timeline, the buttons.

import { html, icon } from "./dom.js";
import { SPEEDS } from "./player.js";
import { createSound } from "./effects/sound.js";

const SPEED_NAMES = { 0.5: "½×", 1: "1×", 2: "2×", 4: "4×", 8: "8×" };
const REPEATS = { "": "no repeat", turn: "repeat turn", play: "repeat play" };

export function createControls({ player, film, teller, showKeys, fullScreen }) {
  const caption = html("p", { class: "caption" });
  const where = html("output", { class: "where" });
  const timeline = html("input", {
    type: "range", class: "timeline", min: 0, max: player.last, step: 1, "aria-label": "Timeline",
    oninput: () => player.jump(Number(timeline.value)),
  });
  const play = button("Play", "play", () => player.toggle(), "main");
  const first = button("To the start", "first", () => player.jump(0), "spare");
  const turnBack = button("Turn back", "turnBack", () => player.jump(player.turnAt(-1)));
  const back = button("Step back", "back", () => player.jump(player.index - 1));
  const forward = button("Step forward", "forward", () => player.jump(player.index + 1));
  const turnOn = button("Turn forward", "turnOn", () => player.jump(player.turnAt(1)));
  const last = button("To the end", "last", () => player.jump(player.last), "spare");
  const live = html(
    "button", { type: "button", class: "button slight live", title: "Jump to the live move", onclick: () => player.catchUp() },
    html("span", { class: "live-dot", "aria-hidden": "true" }), "Live",
  );
  const full = button("Full screen", "full", fullScreen, "full");
  const speed = html(
    "select", { class: "speed", "aria-label": "Speed", onchange: () => player.setSpeed(Number(speed.value)) },
    SPEEDS.map((one) => html("option", { value: one, selected: one === 1 }, SPEED_NAMES[one])),
  );
  const repeat = html(
    "select", { class: "repeat", "aria-label": "Repeat", onchange: () => { player.loop = repeat.value; } },
    Object.entries(REPEATS).map(([value, words]) => html("option", { value }, words)),
  );
  const rounds = html(
    "select", { "aria-label": "Round", class: "rounds", onchange: () => player.jump(Number(rounds.value)) },
  );

  let shown = null;
  player.listen(() => {
    const { frame, index } = player;
    if (shown !== player.frames) refill();
    const over = index === player.last && film.result;
    caption.textContent = over ? teller.result() : teller.caption(frame);
    caption.title = caption.textContent; // the line may be too short for it
    caption.classList.toggle("over", Boolean(over));
    caption.classList.toggle("bad", Boolean(frame.entry?.fault));
    where.replaceChildren(html("span", { class: "long" }, "Move "), `${frame.moves} of ${film.moves}`);
    timeline.value = index;
    timeline.setAttribute("aria-valuetext", where.textContent);
    rounds.value = player.roundAt(0);
    live.hidden = !player.live;
    live.setAttribute("aria-pressed", String(player.playing));
    play.replaceChildren(icon(player.playing ? "pause" : "play"));
    play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    play.title = play.getAttribute("aria-label");
    dim([first, turnBack, back], index === 0);
    dim([forward, turnOn, last], index === player.last);
  });

  // Every seat's film has beats of its own.
  function refill() {
    shown = player.frames;
    timeline.max = player.last;
    where.style.setProperty("--digits", String(film.moves).length); // its neighbours stay in their places
    const found = player.rounds;
    rounds.hidden = found.length < 2;
    rounds.replaceChildren(...found.map(({ round, index }) => html("option", { value: index }, round)));
  }

  return html(
    "div", { class: "controls", role: "group", "aria-label": "Playback" },
    caption,
    html("div", { class: "transport" }, first, turnBack, back, play, forward, turnOn, last),
    timeline,
    html("div", { class: "whereabouts" }, rounds, where),
    html(
      "div", { class: "tools" },
      live, speed, repeat, createSound({ player, film }).button,
      document.fullscreenEnabled ? full : null,
      html("button", { type: "button", class: "button slight keys", title: "Keys", "aria-label": "Keys", onclick: showKeys }, "?"),
    ),
  );
}

function button(label, drawing, act, more = "") {
  return html(
    "button",
    { type: "button", class: `button round ${more}`, "aria-label": label, title: label, onclick: act },
    icon(drawing),
  );
}

// A button that has the focus stays where it is: at the end it is dim, not gone.
function dim(buttons, off) {
  for (const one of buttons) one.setAttribute("aria-disabled", String(off));
}
