// A menu closes when one clicks elsewhere, and by Escape.

/** @returns {NodeListOf<HTMLDetailsElement>} */
function open() {
  return document.querySelectorAll("details.menu[open]");
}

export function closeMenus() {
  document.addEventListener("click", (event) => {
    for (const menu of open()) {
      if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
}
