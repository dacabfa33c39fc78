// The form shows the options of the chosen format only, and the formats that fit the board.

export function tournamentForm() {
  const form = document.querySelector(".tournament-form");
  if (!form) return;
  /** @type {HTMLSelectElement} */
  const board = form.querySelector("[name=board]");
  /** @type {NodeListOf<HTMLInputElement>} */
  const radios = form.querySelectorAll("[name=format]");
  /** @type {NodeListOf<HTMLElement>} */
  const groups = form.querySelectorAll("[data-format]");

  let wanted = [...radios].find((radio) => radio.checked)?.value;

  /** @param {Event} [event] */
  function show(event) {
    const changed = /** @type {HTMLInputElement | undefined} */ (event?.target);
    if (changed?.name === "format") wanted = changed.value;
    for (const radio of radios) {
      radio.disabled = !radio.dataset.boards.split(" ").includes(board.value);
    }
    // A board without the wanted format gets its first one; back on another board, the wanted one.
    const fitting = [...radios].filter((radio) => !radio.disabled);
    const chosen = fitting.find((radio) => radio.value === wanted) ?? fitting[0];
    for (const radio of radios) radio.checked = radio === chosen;
    for (const group of groups) {
      group.classList.toggle("chosen", group.dataset.format === chosen?.value);
    }
  }

  form.addEventListener("change", show);
  show();
}
