// Only the seat counts of the chosen game can be ticked.

/** @param {HTMLFormElement} form */
function show(form) {
  /** @type {HTMLInputElement} */
  const chosen = form.querySelector("[name=game]:checked");
  /** @type {NodeListOf<HTMLInputElement>} */
  const boxes = form.querySelectorAll("[name=seat_counts]");
  for (const box of boxes) {
    box.disabled = chosen !== null && !chosen.dataset.seats.split(" ").includes(box.value);
  }
}

export function seatChoices() {
  /** @type {NodeListOf<HTMLFormElement>} */
  const forms = document.querySelectorAll("form[data-seats-by-game]");
  for (const form of forms) {
    show(form);
    form.addEventListener("change", () => show(form));
  }
}
