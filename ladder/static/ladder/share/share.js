// What leaves the site with a play: a link, a frame for other pages, a film.

import { html } from "../theatre/dom.js";
import { createFilming } from "./filming.js";

const WIDTH = 800;
const HEIGHT = 560;

/** @param {{player: any, film: any, board: any, setup: any, teller: any}} given */
export function createShare({ player, film, board, setup, teller }) {
  const { page, frame } = setup.share;
  const here = /** @type {HTMLInputElement} */ (html("input", { type: "checkbox", checked: true }));
  const link = field("Link", "input");
  const code = field("Embed code", "textarea");

  function write() {
    const { step } = player.frame;
    const at = here.checked ? `?step=${step}` : "";
    link.input.value = page + at;
    code.input.value = `<iframe src="${frame}${at}" width="${WIDTH}" height="${HEIGHT}" title="A play on Ladle" loading="lazy" allowfullscreen style="border:0"></iframe>`;
  }
  here.addEventListener("change", write);
  player.listen(write);
  return html(
    "section", { class: "sharing", "aria-label": "Share" },
    html("label", { class: "choice" }, here, " Start at the move shown now"),
    link.whole, code.whole,
    createFilming({ player, film, board, teller }),
  );
}

// A text that cannot be changed, and a button that copies it.
function field(name, tag) {
  const input = /** @type {HTMLInputElement} */ (html(tag, {
    readonly: true, type: tag === "input" ? "text" : null, rows: tag === "textarea" ? 3 : null, "aria-label": name, onfocus: () => input.select(),
  }));
  const copy = html("button", { type: "button", class: "button slight", onclick: copied }, `Copy ${name.toLowerCase()}`);
  async function copied() {
    await navigator.clipboard.writeText(input.value);
    copy.textContent = "Copied";
    setTimeout(() => { copy.textContent = `Copy ${name.toLowerCase()}`; }, 1500);
  }
  return { input, whole: html("div", { class: "share-field" }, html("span", { class: "label" }, name), input, navigator.clipboard ? copy : null) };
}
