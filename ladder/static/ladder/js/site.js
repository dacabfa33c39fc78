// Small comforts. Every page works without them.
import "htmx.org";
import { challengeForm } from "./challenge.js";
import { readCharts } from "./charts.js";
import { copyButtons } from "./copy.js";
import { bringDraft } from "./draft.js";
import { dropBoxes } from "./drop.js";
import { closeMenus } from "./menus.js";
import { seatChoices } from "./seats.js";
import { followEvents, isCovered } from "./stream.js";
import { localFields, localTimes } from "./times.js";
import { tournamentForm } from "./tournament.js";

// A live fragment rests while nobody looks at the tab.
document.addEventListener("htmx:beforeRequest", (event) => {
  const asking = /** @type {Element} */ (event.target);
  if (document.hidden && asking.closest("[data-live]")) event.preventDefault();
  if (isCovered(asking, /** @type {CustomEvent} */ (event).detail)) event.preventDefault();
});
document.addEventListener("htmx:afterSwap", (event) => {
  const shown = /** @type {Element} */ (event.target);
  copyButtons(shown);
  readCharts(shown.parentElement ?? document);
  localTimes(shown.parentElement ?? document);
});

// What has not changed is left alone: it may be read, or have the focus.
const shown = new Map();
document.addEventListener("htmx:beforeSwap", (/** @type {any} */ event) => {
  const { target, serverResponse, xhr } = event.detail;
  if (!target.id || !target.matches("[data-live]") || xhr.status !== 200) return;
  if (shown.get(target.id) === serverResponse) event.detail.shouldSwap = false;
  shown.set(target.id, serverResponse);
});

copyButtons(document);
readCharts(document);
localTimes(document);
localFields();
bringDraft();
dropBoxes();
seatChoices();
tournamentForm();
challengeForm();
closeMenus();
followEvents();
