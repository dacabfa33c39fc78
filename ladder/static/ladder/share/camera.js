// Draws frames of a film onto a canvas: the game's board as on stage, and what happened below it.

import { html, svg } from "../theatre/dom.js";
import { shorten } from "../theatre/words.js";

// What a stylesheet gives to a drawing. A picture has no stylesheet, so each node gets its own.
const STYLES = [
  "fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
  "stroke-linejoin", "opacity", "color", "font-size", "font-weight", "font-style", "text-anchor", "dominant-baseline", "paint-order",
  "letter-spacing", "visibility", "display",
];

export async function createCamera({ board, film, teller, frames, isSmall }) {
  const [left, top, wide, high] = board.viewBox(film.seats, false, null).split(" ").map(Number);
  const width = isSmall ? 640 : 960;
  const scale = width / wide;
  const band = isSmall ? 44 : 64;
  const height = even(high * scale + band);
  const canvas = /** @type {HTMLCanvasElement} */ (html("canvas", { width, height }));
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { willReadFrequently: isSmall }));
  const context = {
    names: film.names, seats: film.seats, narrow: false, me: null,
    short: (seat, room) => shorten(film.names, room)[seat],
  };
  const page = getComputedStyle(document.body);
  const opaque = [document.body, document.documentElement].map((node) => getComputedStyle(node).backgroundColor).filter((colour) => colour !== "rgba(0, 0, 0, 0)");
  const ground = opaque[0] ?? "white";
  const font = await fontInside();

  // The drawing takes its styles from the page, unseen.
  function picture(frame) {
    const drawing = svg("svg", { xmlns: "http://www.w3.org/2000/svg", class: "table", viewBox: `${left} ${top} ${wide} ${high}`, width, height: Math.round(high * scale) });
    const host = html("div", { class: "stage camera", "aria-hidden": "true" }, drawing);
    document.body.append(host);
    try {
      drawing.append(...board.draw(svg, frame, context));
      for (const node of [drawing, ...drawing.querySelectorAll("*")]) {
        const computed = getComputedStyle(node);
        for (const name of STYLES) node.setAttribute(name, computed.getPropertyValue(name));
      }
      drawing.setAttribute("font-family", `Film, ${page.fontFamily.replaceAll('"', "'")}`);
      const text = new XMLSerializer().serializeToString(drawing);
      return text.replace(">", `>${font}`); // the page itself may have no style of this kind
    } finally {
      host.remove();
    }
  }

  async function shoot(frame) {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture(frame))}`;
    await image.decode();
    pen.fillStyle = ground;
    pen.fillRect(0, 0, width, height);
    pen.drawImage(image, 0, 0, width, Math.round(high * scale));
    caption(frame);
    return canvas;
  }

  function caption(frame) {
    const size = isSmall ? 16 : 22;
    pen.fillStyle = page.color;
    pen.font = `500 ${size}px ${page.fontFamily}`;
    pen.textBaseline = "middle";
    const isEnd = film.result && frame === frames.at(-1) && frame.step === film.steps;
    pen.fillText(isEnd ? teller.result() : teller.caption(frame), 16, height - band / 2, width - 110);
    pen.textAlign = "right";
    pen.fillText("Ladle", width - 16, height - band / 2);
    pen.textAlign = "left";
  }

  return { canvas, pen, width, height, shoot };
}

const even = (value) => 2 * Math.ceil(value / 2); // video has no odd sizes

// The page's font as part of the picture, which cannot load anything.
async function fontInside() {
  const link = /** @type {HTMLLinkElement | null} */ (document.querySelector("link[rel=preload][as=font]"));
  if (!link) return "";
  try {
    const bytes = new Uint8Array(await (await fetch(link.href)).arrayBuffer());
    let text = "";
    for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
    return `<style>@font-face{font-family:Film;src:url(data:font/woff2;base64,${btoa(text)});font-weight:300 900}</style>`;
  } catch {
    return ""; // then it is drawn in the system's
  }
}

export const rest = () => new Promise((resolve) => { setTimeout(resolve); }); // the page stays usable

