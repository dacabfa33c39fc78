// Makes nodes without markup, so that no name can smuggle any in.

const SVG = "http://www.w3.org/2000/svg";

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function html(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

// Icons are drawn in a box of 24.
const ICONS = {
  first: "M5 5h2.5v14H5zM19 5v14L9 12z",
  back: "M16 5v14L6 12z",
  play: "M7 4.5v15L20 12z",
  pause: "M6.5 5H10v14H6.5zM14 5h3.5v14H14z",
  forward: "M8 5v14l10-7z",
  turnBack: "M12 5v14L3 12zM21 5v14L12 12z",
  turnOn: "M3 5v14l9-7zM12 5v14l9-7z",
  full: "M4 4h6v2.5H6.5V10H4zM14 4h6v6h-2.5V6.5H14zM4 14h2.5v3.5H10V20H4zM17.5 14H20v6h-6v-2.5h3.5z",
  last: "M16.5 5H19v14h-2.5zM5 5v14l10-7z",
  sound: "M3 9h4l5-4.5v15L7 15H3zM14 8q5 4 0 8v-2.5q1.5-1.5 0-3zM17 4.5q9 7.5 0 15V17q6-5 0-10z",
  silence: "M3 9h4l5-4.5v15L7 15H3zM14 9.9L15.4 8.5l2.1 2.1 2.1-2.1L21 9.9 18.9 12 21 14.1l-1.4 1.4-2.1-2.1-2.1 2.1L14 14.1l2.1-2.1z",
};

export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}
