// Draws a table as SVG without a browser: a frame as JSON comes in, the picture goes out.
//
// The game's own board.js draws. What a browser would do with its stylesheet is done here: rules of
// classes, inherited custom properties, and the light one of two colours. An SVG file cannot have
// them, and what makes a PNG of it knows none. A picture within a page (`inline`) keeps its classes.
import { readFileSync } from "node:fs";
import { shorten } from "../../static/ladder/theatre/words.js";

const ROOT = new URL("../../../", import.meta.url);
const SITE = "ladder/static/ladder/css/variables.css";
const FONT = "Figtree";

const asked = JSON.parse(readFileSync(0, "utf8"));
const folder = `engine/games/${asked.game}/static`;
const board = await import(new URL(`${folder}/board.js`, ROOT).href);
const rules = [SITE, `${folder}/board.css`].flatMap((path) => parse(readFileSync(new URL(path, ROOT), "utf8")));

// Every rule without a condition: the parts of its selector, and what it declares.
function parse(css) {
  const plain = withoutConditions(css.replace(/\/\*[\s\S]*?\*\//g, ""));
  return [...plain.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, selectors, body]) => {
    const declared = body.split(";").map((line) => line.split(/:([\s\S]*)/, 2).map((part) => part?.trim())).filter(([name]) => name);
    return selectors.split(",").map((selector) => ({ parts: selector.trim().split(/\s+/), declared }))
      .filter(({ parts }) => parts.every((part) => part === ":root" || /^(\.[\w-]+)+$/.test(part)));
  });
}

function withoutConditions(css) {
  let left = css;
  for (let at = left.indexOf("@"); at >= 0; at = left.indexOf("@")) {
    let depth = 0;
    let end = left.indexOf("{", at);
    do {
      if (left[end] === "{") depth += 1;
      if (left[end] === "}") depth -= 1;
      end += 1;
    } while (depth > 0 && end < left.length);
    left = left.slice(0, at) + left.slice(end);
  }
  return left;
}

const isPart = (part, node) => (part === ":root" ? !node.parent : part.slice(1).split(".").every((name) => node.classes.has(name)));

function meets(parts, node) {
  if (!isPart(parts.at(-1), node)) return false;
  let above = node.parent;
  for (const part of parts.slice(0, -1).toReversed()) {
    while (above && !isPart(part, above)) above = above.parent;
    if (!above) return false;
    above = above.parent;
  }
  return true;
}

const weight = ({ parts }) => parts.join("").split(".").length;

function styleOf(node, inherited) {
  const own = new Map();
  const met = rules.filter((rule) => meets(rule.parts, node)).toSorted((a, b) => weight(a) - weight(b));
  for (const { declared } of met) for (const [name, value] of declared) own.set(name, value);
  const custom = new Map(inherited);
  for (const [name, value] of own) if (name.startsWith("--") || name === "color") custom.set(name, value);
  const resolve = (value, left = 9) => {
    if (!left) return value;
    const known = value.replace(/var\((--[\w-]+)(?:,\s*([^()]*))?\)/g, (_, name, other) => custom.get(name) ?? other ?? "");
    const inked = known.replace(/\bcurrentcolor\b/gi, () => custom.get("color") ?? "inherit");
    const light = inked.replace(/light-dark\(([^,()]*(?:\([^()]*\))?[^,()]*),(?:[^()]|\([^()]*\))*\)/g, "$1");
    return light === value ? value : resolve(light, left - 1);
  };
  /** @type {[string, any][]} */
  const styled = [...own].filter(([name]) => !name.startsWith("--")).map(([name, value]) => [name, resolve(value)]);
  return { style: styled.flatMap(spelledOut), custom, colour: resolve(custom.get("color") ?? "inherit") };
}

// `font` and families as an SVG file has them.
function spelledOut([name, value]) {
  if (name === "font-family") return [["font-family", FONT]];
  if (name !== "font") return [[name, value]];
  const [, weight = "400", size = "16px"] = /^(\d+)?\s*([\d.]+px)/.exec(value) ?? [];
  return [["font-weight", weight], ["font-size", size], ["font-family", FONT]];
}

// Signs that the card's font lacks, as near as it has them; then what XML cannot hold as it is.
const escape = (text) => text.replaceAll("▸", "›").replaceAll("★", "*")
  .replace(/[^\t\n\r\x20-\uFFFD]/g, "").replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

// A board makes its nodes by `h`; here they are plain values.
const h = (tag, attributes, ...children) => ({
  tag,
  attributes: Object.entries(attributes ?? {}).filter(([name, value]) => value !== null && value !== undefined && value !== false && !name.startsWith("on")),
  children: children.flat(Infinity).filter((child) => child !== null && child !== undefined),
});

function written(node, parent, inherited) {
  if (typeof node !== "object") return escape(String(node));
  if (node.tag === "title") return ""; // nothing points at a picture
  const own = { parent, classes: new Set(String(node.attributes.find(([name]) => name === "class")?.[1] ?? "").split(/\s+/).filter(Boolean)) };
  const { style, custom, colour } = styleOf(own, inherited);
  const attributes = node.attributes.filter(([name]) => name !== "class" && !name.startsWith("data-") && !name.startsWith("aria"))
    .map(([name, value]) => ` ${name}="${escape(value === true ? "" : value === "currentColor" && !asked.inline ? colour : String(value))}"`).join("");
  if (asked.inline) {
    const classes = own.classes.size ? ` class="${[...own.classes].join(" ")}"` : "";
    return `<${node.tag}${attributes}${classes}>${node.children.map((child) => written(child, own, custom)).join("")}</${node.tag}>`;
  }
  const styled = style.length ? ` style="${escape(style.map((pair) => pair.join(":")).join(";"))}"` : "";
  return `<${node.tag}${attributes}${styled}>${node.children.map((child) => written(child, own, custom)).join("")}</${node.tag}>`;
}

const { names, seats } = asked;
const frame = { ...asked.frame, told: asked.frame.said, said: asked.frame.said[0] ?? "", beat: 0 };
const context = { names, seats, narrow: false, me: null, short: (seat, room) => shorten(names, room)[seat] };
const root = { parent: null, classes: new Set() };
const drawn = board.draw(h, frame, context).flat(Infinity).filter(Boolean);
const { custom } = styleOf(root, new Map());
process.stdout.write(JSON.stringify({
  box: board.viewBox(seats, false, null).split(" ").map(Number),
  svg: drawn.map((node) => written(node, root, custom)).join(""),
}));
