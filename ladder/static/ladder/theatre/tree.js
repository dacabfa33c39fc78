// JSON as a tree: what is small stands in one line, the rest opens.

import { html } from "./dom.js";

export function tree(value) {
  return html("ul", { class: "tree" }, Object.entries(value).map(([key, one]) => {
    const text = JSON.stringify(one);
    if (one === null || typeof one !== "object" || text.length <= 60) {
      return html("li", {}, html("b", {}, `${key}: `), html("code", {}, text));
    }
    const size = Array.isArray(one) ? `${one.length} items` : `${Object.keys(one).length} fields`;
    const branch = html("details", {}, html("summary", {}, html("b", {}, key), ` ${size}`));
    branch.addEventListener("toggle", () => branch.append(tree(one)), { once: true });
    return html("li", {}, branch);
  }));
}
