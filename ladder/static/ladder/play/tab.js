// The worker that runs Python for this tab: started, asked, and stopped when it does not answer.

/** @type {{worker: string, loaded: Record<string, number>, files: string[]}} */
// @ts-expect-error - the build puts the addresses here
const MADE = TAB;
export const FILES = MADE.files;
const LOADING_MS = 90_000; // a slow line is slow; without end it is broken
const TOTAL = Object.values(MADE.loaded).reduce((sum, size) => sum + size, 0);

/** Python did not answer in time, or died. A new worker is needed. */
export class Stopped extends Error {}

export class Tab {
  /** @param {(share: number) => void} progress - how much has been loaded, 0 to 1 */
  constructor(progress) {
    this.progress = progress;
    this.start();
  }

  start() {
    this.asked = new Map();
    this.number = 0;
    this.come = 0;
    this.worker = new Worker(MADE.worker, { type: "module" });
    this.worker.onmessage = ({ data }) => this.#hear(data);
    this.worker.onerror = (event) => this.stop(event.message || "its script could not be loaded");
    // The first answer takes as long as loading does.
    this.ready = this.#send("ready", [], LOADING_MS);
    this.ready.catch(() => {});
  }

  /** What Python tells; Stopped when it takes longer. */
  async ask(call, given = [], within = 10_000) {
    await this.ready;
    return this.#send(call, given, within);
  }

  /** End the worker, whatever it is doing, and begin again with a new one. */
  restart() {
    this.stop("it was restarted");
    this.start();
  }

  stop(why) {
    this.worker.terminate();
    for (const { reject, timer } of this.asked.values()) {
      clearTimeout(timer);
      reject(new Stopped(why));
    }
    this.asked.clear();
  }

  #send(call, given, within) {
    this.number += 1;
    const id = this.number;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.stop(`there was no answer for ${within / 1000} seconds`), within);
      this.asked.set(id, { resolve, reject, timer });
      this.worker.postMessage({ id, call, given });
    });
  }

  #hear({ loading, id, told, failed }) {
    if (loading) {
      this.come += loading;
      this.progress(Math.min(1, this.come / TOTAL));
      return;
    }
    const waiting = this.asked.get(id);
    if (!waiting) return;
    this.asked.delete(id);
    clearTimeout(waiting.timer);
    if (failed) waiting.reject(new Error(failed));
    else waiting.resolve(told);
  }
}
