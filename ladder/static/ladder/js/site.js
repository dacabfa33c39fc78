// Small comforts. Every page works without them.
import "htmx.org";
import { challengeForm } from "./challenge.js";
import { copyButtons } from "./copy.js";
import { dropBoxes } from "./drop.js";
import { closeMenus } from "./menus.js";
import { seatChoices } from "./seats.js";
import { localTimes } from "./times.js";
import { tournamentForm } from "./tournament.js";

// A live fragment rests while nobody looks at the tab.
document.addEventListener("htmx:beforeRequest", (event) => {
  const asking = /** @type {Element} */ (event.target);
  if (document.hidden && asking.closest("[data-live]")) event.preventDefault();
});
document.addEventListener("htmx:afterSwap", (event) => {
  const shown = /** @type {Element} */ (event.target);
  copyButtons(shown);
  localTimes(shown.parentElement ?? document);
});

copyButtons(document);
localTimes(document);
dropBoxes();
seatChoices();
tournamentForm();
challengeForm();
closeMenus();
