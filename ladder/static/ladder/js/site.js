// Small comforts. Every page works without this file.
"use strict";

// A live fragment rests while nobody looks at the tab.
document.addEventListener("htmx:beforeRequest", (event) => {
  if (document.hidden && event.target.closest("[data-live]")) event.preventDefault();
});

function copyButtons(root) {
  for (const block of root.querySelectorAll("[data-copy]")) {
    if (block.querySelector(".copy") || !navigator.clipboard) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button slight copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(block.querySelector("pre, code").textContent);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy"; }, 1500);
    });
    block.append(button);
  }
}

// Dropping a file on the box fills its file input; a pasted text is then not needed.
function dropBoxes(root) {
  for (const box of root.querySelectorAll("[data-drop]")) {
    const input = box.querySelector("input[type=file]");
    for (const name of ["dragenter", "dragover"]) {
      box.addEventListener(name, (event) => { event.preventDefault(); box.classList.add("over"); });
    }
    for (const name of ["dragleave", "drop"]) {
      box.addEventListener(name, () => box.classList.remove("over"));
    }
    box.addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) input.files = event.dataTransfer.files;
    });
  }
}

// Only the seat counts of the chosen game can be ticked.
function seatChoices(form) {
  const chosen = form.querySelector("[name=game]:checked");
  for (const box of form.querySelectorAll("[name=seat_counts]")) {
    const seats = chosen ? chosen.dataset.seats.split(" ") : null;
    box.disabled = seats !== null && !seats.includes(box.value);
  }
}

document.addEventListener("DOMContentLoaded", () => {
  copyButtons(document);
  dropBoxes(document);
  for (const form of document.querySelectorAll("form[data-seats-by-game]")) {
    seatChoices(form);
    form.addEventListener("change", () => seatChoices(form));
  }
});
document.addEventListener("htmx:afterSwap", (event) => copyButtons(event.target));
document.addEventListener("click", (event) => {
  for (const menu of document.querySelectorAll("details.games-menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.games-menu[open]")) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});
