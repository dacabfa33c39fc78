// A film as GIF, with a palette of its own for each picture.

import { applyPalette, GIFEncoder, quantize } from "gifenc";
import { rest } from "./camera.js";

export async function makeGif({ camera, frames, seconds, progress, signal }) {
  const gif = GIFEncoder();
  const { width, height } = camera;
  for (const [at, frame] of frames.entries()) {
    signal.throwIfAborted();
    await camera.shoot(frame);
    const { data } = camera.pen.getImageData(0, 0, width, height);
    const palette = quantize(data, 256);
    const last = at === frames.length - 1;
    gif.writeFrame(applyPalette(data, palette), width, height, { palette, delay: 1000 * seconds * (last ? 3 : 1) });
    progress((at + 1) / frames.length);
    await rest();
  }
  gif.finish();
  return { blob: new Blob([gif.bytes()], { type: "image/gif" }), ending: "gif" };
}
