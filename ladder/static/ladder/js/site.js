// Small comforts. Every page works without them.
import "htmx.org";
import { copyButtons } from "./copy.js";
import { dropBoxes } from "./drop.js";
import { closeMenus } from "./menus.js";
import { seatChoices } from "./seats.js";
import { tournamentForm } from "./tournament.js";

// A live fragment rests while nobody looks at the tab.
document.addEventListener("htmx:beforeRequest", (event) => {
  const asking = /** @type {Element} */ (event.target);
  if (document.hidden && asking.closest("[data-live]")) event.preventDefault();
});
document.addEventListener("htmx:afterSwap", (event) => {
  copyButtons(/** @type {Element} */ (event.target));
});

copyButtons(document);
dropBoxes();
seatChoices();
tournamentForm();
closeMenus();
