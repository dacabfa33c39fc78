// A film as video: WebM encoded here as fast as the machine can, or recorded in real time (often
// MP4) where a browser has no such encoder.

import { rest } from "./camera.js";
import { webm } from "./webm.js";

const PER_SECOND = 10; // a still picture is repeated, which costs next to nothing
const CODECS = [["vp09.00.31.08", "V_VP9"], ["vp8", "V_VP8"]];
const RECORDED = ["video/mp4", "video/webm"];

export const canMakeVideo = () => "VideoEncoder" in window || recordedKind() !== undefined;

const recordedKind = () => ("MediaRecorder" in window ? RECORDED.find((kind) => MediaRecorder.isTypeSupported(kind)) : undefined);

export async function makeVideo(given) {
  const { width, height } = given.camera;
  for (const [codec, name] of "VideoEncoder" in window ? CODECS : []) {
    const config = { codec, width, height, bitrate: 1_500_000, framerate: PER_SECOND };
    const { supported } = await VideoEncoder.isConfigSupported(config).catch(() => ({ supported: false }));
    if (supported) return encoded(given, config, name);
  }
  return recorded(given);
}

async function encoded({ camera, frames, seconds, progress, signal }, config, name) {
  const chunks = [];
  let failed = null;
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength);
      chunk.copyTo(data);
      chunks.push({ data, isKey: chunk.type === "key", ms: chunk.timestamp / 1000 });
    },
    error: (error) => { failed = error; },
  });
  encoder.configure(config);
  const each = Math.max(1, Math.round(PER_SECOND * seconds));
  let count = 0;
  try {
    for (const [at, frame] of frames.entries()) {
      const canvas = await camera.shoot(frame);
      const repeats = at === frames.length - 1 ? 3 * each : each; // the end can be read
      for (let again = 0; again < repeats; again += 1, count += 1) {
        signal.throwIfAborted();
        if (failed) throw failed;
        const picture = new VideoFrame(canvas, { timestamp: (count * 1e6) / PER_SECOND, duration: 1e6 / PER_SECOND });
        encoder.encode(picture, { keyFrame: count % 50 === 0 });
        picture.close();
      }
      while (encoder.encodeQueueSize > 20) await rest();
      progress((at + 1) / frames.length);
      await rest();
    }
    await encoder.flush();
  } finally {
    if (encoder.state !== "closed") encoder.close();
  }
  if (failed) throw failed;
  const parts = webm({ chunks, codec: name, width: config.width, height: config.height, ms: (count * 1000) / PER_SECOND });
  return { blob: new Blob(parts, { type: "video/webm" }), ending: "webm" };
}

async function recorded({ camera, frames, seconds, progress, signal }) {
  const kind = recordedKind();
  if (!kind) throw new Error("this browser makes no videos; choose GIF");
  const stream = camera.canvas.captureStream(PER_SECOND);
  const recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 1_500_000 });
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  const over = new Promise((resolve) => { recorder.onstop = resolve; });
  try {
    for (const [at, frame] of frames.entries()) {
      signal.throwIfAborted();
      await camera.shoot(frame);
      if (at === 0) recorder.start();
      await new Promise((resolve) => { setTimeout(resolve, 1000 * seconds); });
      progress((at + 1) / frames.length);
    }
  } finally {
    if (recorder.state !== "inactive") {
      recorder.stop();
      await over;
    }
  }
  return { blob: new Blob(parts, { type: kind }), ending: kind.split("/")[1] };
}
