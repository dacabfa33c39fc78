// "Play on from here": the position of this step, and the command that goes on with any bots.

import { html } from "./dom.js";

export function createPlayOn({ player, film, setup }) {
  const link = html("a", { class: "button", download: true }, "Play on from here");
  const command = html("code", {});
  const why = html("p", { class: "quiet small" });
  const faulted = player.frames.findIndex((frame) => frame.entry?.fault);
  const bots = film.names.map(() => "greedy").join(" ");

  player.listen(() => {
    const { step, view } = player.frame;
    const late = faulted !== -1 && player.index >= faulted;
    const over = view.to_act === null;
    if (setup.position) {
      if (late || over) link.removeAttribute("href");
      else link.setAttribute("href", `${setup.position}?step=${step}`);
      link.setAttribute("aria-disabled", String(late || over));
    }
    const file = setup.position ? setup.position_file.replace("STEP", step) : `${setup.file}@${step}`;
    command.textContent = `ladle play ${film.game} ${bots} --from ${file}`;
    if (over) why.textContent = "The play is over here: go back to a step to play on from.";
    else if (late) why.textContent = "A bot is at fault here: choose an earlier step to play on from.";
    else why.textContent = "Name one bot per seat. The same seed continues from here.";
  });
  return html(
    "section", { class: "play-on", "aria-label": "Play on" },
    html("p", {}, setup.position ? link : null, html("span", { class: "command" }, command)), why,
  );
}
