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

  function show() {
    for (const radio of radios) {
      radio.disabled = !radio.dataset.boards.split(" ").includes(board.value);
      if (radio.disabled) radio.checked = false;
    }
    const chosen = [...radios].find((radio) => radio.checked);
    for (const group of groups) {
      group.classList.toggle("chosen", group.dataset.format === chosen?.value);
    }
  }

  form.addEventListener("change", show);
  show();
}
