// The bar under the table: what happened, the timeline, the buttons.

import { html, icon } from "./dom.js";
import { SPEEDS } from "./player.js";

const SPEED_NAMES = { 0.5: "½×", 1: "1×", 2: "2×", 4: "4×", 8: "8×" };

export function createControls({ player, film, teller, showKeys }) {
  const caption = html("p", { class: "caption" });
  const where = html("output", { class: "where" });
  const timeline = html("input", {
    type: "range", class: "timeline", min: 0, max: player.last, step: 1, "aria-label": "Timeline",
    oninput: () => player.jump(Number(timeline.value)),
  });
  const play = button("Play", "play", () => player.toggle(), "main");
  const first = button("To the start", "first", () => player.jump(0));
  const back = button("Step back", "back", () => player.jump(player.index - 1));
  const forward = button("Step forward", "forward", () => player.jump(player.index + 1));
  const last = button("To the end", "last", () => player.jump(player.last));
  const speed = html(
    "select", { onchange: () => player.setSpeed(Number(speed.value)) },
    SPEEDS.map((one) => html("option", { value: one, selected: one === 1 }, SPEED_NAMES[one])),
  );

  player.listen(() => {
    const { frame, index } = player;
    const over = index === player.last && film.result;
    caption.textContent = over ? teller.result() : teller.caption(frame);
    caption.title = caption.textContent; // the line may be too short for it
    caption.classList.toggle("over", Boolean(over));
    caption.classList.toggle("bad", Boolean(frame.entry?.fault));
    where.textContent = `Step ${frame.step} of ${film.steps}`;
    timeline.value = index;
    timeline.setAttribute("aria-valuetext", where.textContent);
    play.replaceChildren(icon(player.playing ? "pause" : "play"));
    play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
    play.title = play.getAttribute("aria-label");
    dim([first, back], index === 0);
    dim([forward, last], index === player.last);
  });

  return html(
    "div", { class: "controls", role: "group", "aria-label": "Playback" },
    caption,
    html("div", { class: "transport" }, first, back, play, forward, last),
    timeline, where,
    html("label", { class: "speed" }, html("span", {}, "Speed "), speed),
    html("button", { type: "button", class: "button slight keys", onclick: showKeys }, "Keys"),
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
