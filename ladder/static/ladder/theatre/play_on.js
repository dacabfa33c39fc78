// "Play on from here": sit down at this step in the browser, or take the position to a terminal.

import { html } from "./dom.js";

// `setup.play_on` is the address of the table to sit down at, or a function that goes there.
export function createPlayOn({ player, film, setup }) {
  const on = setup.play_on;
  const sit = typeof on === "function"
    ? html("button", { type: "button", class: "button", onclick: () => on(player.frame.step, player.frame.view.to_act ?? 0) }, "Play on from here")
    : html("a", { class: "button" }, "Play on from here");
  const file = html("a", { class: "button slight", download: true }, "Download the position");
  const command = html("code", {});
  const why = html("p", { class: "quiet small" });
  const faulted = player.frames.findIndex((frame) => frame.entry?.fault);
  const bots = film.names.map(() => "greedy").join(" ");

  function lead(link, address) {
    if (address) link.setAttribute("href", address);
    else link.removeAttribute("href");
    link.setAttribute("aria-disabled", String(!address));
  }

  player.listen(() => {
    const { step, view } = player.frame;
    const late = faulted !== -1 && player.index >= faulted;
    const over = film.result && player.index === player.last;
    const open = !late && !over;
    if (typeof on === "function") /** @type {HTMLButtonElement} */ (sit).disabled = !open;
    else lead(sit, open && `${on}&step=${step}&seat=${view.to_act ?? 0}`);
    if (setup.position) lead(file, open && `${setup.position}?step=${step}`);
    const name = setup.position ? setup.position_file.replace("STEP", step) : `${setup.file}@${step}`;
    command.textContent = `ladle play ${film.game} ${bots} --from ${name}`;
    if (over) why.textContent = "The play is over here: go back to a step to play on from.";
    else if (late) why.textContent = "A bot failed before this step: choose an earlier step to play on from.";
    else why.textContent = "You take a seat, and house bots take the others. The same seed continues, and hidden cards stay where they are.";
  });
  return html(
    "section", { class: "play-on", "aria-label": "Play on" },
    html("p", { class: "actions" }, on ? sit : null, setup.position ? file : null), why,
    html("p", {}, html("span", { class: "quiet small" }, "In a terminal, with one bot per seat: "), html("span", { class: "command" }, command)),
  );
}
