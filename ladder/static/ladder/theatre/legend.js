// All symbols of a game with what they mean. A board's `legend` gives [drawing, width, height, words].

import { html, svg } from "./dom.js";

export function createLegend(board) {
  if (!board.legend) return null;
  return html("ul", { class: "legend", "aria-label": "Symbols" }, board.legend(svg).map(
    ([drawing, width, height, words]) => html(
      "li", {},
      svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, "aria-hidden": "true" }, drawing),
      html("span", {}, words),
    ),
  ));
}
