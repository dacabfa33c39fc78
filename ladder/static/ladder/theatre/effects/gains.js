// What points changed by: a figure that travels from what caused it to the seat that got it. Where
// motion is not wanted, it stands at its cause until the next frame.

import { svg } from "../dom.js";

const SHORTEST_MS = 700; // to be read

export function createGains(board, context) {
  const layer = svg("svg", { class: "gains", "aria-hidden": "true" });

  return {
    layer,
    clear: () => layer.replaceChildren(),

    /** Show what changed between two frames, in this time; without one, standing still. */
    show(before, after, milliseconds) {
      layer.setAttribute("viewBox", board.viewBox(context.seats, context.narrow, context.me));
      layer.replaceChildren(...(board.gains?.(before, after, context) ?? []).map(({ seat, by, from, to }) => {
        const words = by > 0 ? `+${by}` : `−${-by}`;
        const figure = svg("text", { class: by > 0 ? "gain" : "loss", "data-seat": seat, "data-by": by }, words);
        const at = ({ x, y }) => `translate(${x}px, ${y}px)`;
        if (!milliseconds) {
          figure.style.transform = at(from);
          return figure;
        }
        figure.animate([
          { transform: at(from), opacity: 0 },
          { transform: at(from), opacity: 1, offset: 0.15 },
          { transform: at(from), opacity: 1, offset: 0.35, easing: "ease-in-out" },
          { transform: at(to), opacity: 1, offset: 0.85 },
          { transform: at(to), opacity: 0 },
        ], { duration: Math.max(SHORTEST_MS, milliseconds), fill: "forwards" });
        return figure;
      }));
    },
  };
}
