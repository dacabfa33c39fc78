// The form shows the options of the chosen format only, and the formats that fit the board.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector(".tournament-form");
  const board = form.querySelector("[name=board]");

  function show() {
    for (const radio of form.querySelectorAll("[name=format]")) {
      radio.disabled = !radio.dataset.boards.split(" ").includes(board.value);
      if (radio.disabled) radio.checked = false;
    }
    const chosen = form.querySelector("[name=format]:checked");
    for (const group of form.querySelectorAll("[data-format]")) {
      group.hidden = !chosen || group.dataset.format !== chosen.value;
    }
  }

  form.addEventListener("change", show);
  show();
});
