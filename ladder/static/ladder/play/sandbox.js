// A bot that nobody trusts: it runs in a frame without an origin, from which nothing can be reached,
// and is asked by one port. It sees what it is asked, and nothing else.

/** @type {{sandbox: {frame: string, version: string, workers: Record<string, string>, files: string[]}}} */
// @ts-expect-error - the build puts the addresses here
const MADE = TAB;
const LOADING_MS = 90_000; // as for the tab's own Python
const ANSWER_MS = 10_000;
const LONGEST = 65_536; // characters of anything a bot says

const kept = new Map(); // what frames are given, by address

async function bring(address) {
  kept.set(address, kept.get(address) ?? fetch(address).then((response) => {
    if (!response.ok) throw new Error(`${address} answers ${response.status}`);
    return response.arrayBuffer();
  }));
  try {
    return await kept.get(address);
  } catch (error) {
    kept.delete(address); // it may come next time
    throw error;
  }
}

async function filesFor(runner) {
  if (runner !== "py") return {};
  const contents = await Promise.all(MADE.sandbox.files.map(bring));
  return Object.fromEntries(MADE.sandbox.files.map((address, at) => [address.split("/").at(-1), contents[at]]));
}

export class Sandbox {
  /**
   * @param {{language: string, runner: string, source?: string, beside?: Record<string, string>}} bot - its language by the
   * ending of its file, and what runs it; `beside` has the other files of a bundle
   */
  constructor({ language, runner, source = "", beside = {} }) {
    this.language = language;
    this.runner = runner;
    this.source = source;
    this.beside = beside;
    this.prepared = null;
    this.opened = null;
    this.waiting = null;
    this.ended = null; // why it was stopped between two questions
    this.frames = 0; // that were closed: what belongs to one of them comes too late
    this.abandon = () => {};
  }

  /** Bring all that a bot in this language needs; nothing of the bot's runs yet. */
  prepare() {
    const { frames } = this;
    this.prepared ??= this.#prepare().catch((error) => {
      if (frames === this.frames) this.close(); // it may come next time
      throw error;
    });
    return this.prepared;
  }

  /** Load the bot; `broken` says why it cannot be, with a traceback as `detail`. */
  open() {
    this.opened ??= this.prepare().then(() => (
      this.#send("bot", { source: this.source, beside: this.beside, filename: `bot.${this.language}` }, ANSWER_MS)
    ));
    return this.opened;
  }

  /** Load another source, as when its author has changed it. */
  change(source, beside = {}) {
    if (source !== this.source || JSON.stringify(beside) !== JSON.stringify(this.beside)) this.opened = null;
    Object.assign(this, { source, beside });
    return this.open();
  }

  /** What the bot replies to a message. Of one that had to be stopped, `stopped` says why. */
  async ask(message, within = ANSWER_MS) {
    const { ended } = this;
    this.ended = null;
    if (ended && !message.is_new) return ended;
    const { broken, detail, stopped, kind } = await this.open();
    if (stopped) return { stopped, kind };
    if (broken) return { raised: broken, detail };
    return this.#send("hear", message, within);
  }

  async #prepare() {
    const { frames } = this;
    const { frame, version, workers } = MADE.sandbox;
    const [script, files] = await Promise.all([bring(workers[this.runner]), filesFor(this.runner)]);
    if (frames !== this.frames) throw new Error("it was stopped");
    this.frame = document.createElement("iframe");
    this.frame.setAttribute("sandbox", "allow-scripts");
    this.frame.hidden = true;
    this.frame.src = frame;
    await new Promise((done, failed) => {
      this.frame.onload = done;
      this.abandon = () => failed(new Error("it was stopped"));
      document.body.append(this.frame);
    });
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    this.port.onmessage = ({ data }) => this.#hear(data);
    this.frame.contentWindow.postMessage({ script }, "*", [port2]); // it has no origin to name
    const ready = await this.#send("load", { files, version }, LOADING_MS);
    if (ready.stopped || ready.raised) throw new Error(`Python could not be loaded: ${ready.stopped ?? ready.raised}`);
  }

  #send(call, given, within) {
    return new Promise((resolve) => {
      const late = `the bot did not answer for ${within / 1000} seconds`;
      this.waiting = { resolve, timer: setTimeout(() => this.stop(late, "timeout"), within) };
      this.port.postMessage({ call, given });
    });
  }

  #hear({ told, stopped, kind }) {
    if (stopped) return this.stop(stopped, kind);
    if (!this.waiting) return this.stop("the bot answered without being asked", "protocol");
    const reply = plain(told);
    this.#settle(reply);
    if (reply.isBroken) this.close();
  }

  #settle(reply) {
    const { resolve, timer } = this.waiting;
    this.waiting = null;
    clearTimeout(timer);
    resolve(reply);
  }

  /** End the bot, whatever it is doing. It is loaded again when it is asked next. */
  stop(why, kind) {
    this.close();
    if (this.waiting) this.#settle({ stopped: why, kind });
    else this.ended = { stopped: why, kind };
  }

  close() {
    this.frames += 1;
    this.abandon();
    this.frame?.remove();
    this.port?.close();
    this.prepared = this.opened = null;
  }
}

/** Of what a bot's worker told, what can be a reply. */
function plain(told) {
  const reply = {};
  for (const name of ["raised", "detail", "broken", "loading", "printed"]) {
    if (typeof told?.[name] === "string") reply[name] = told[name].slice(0, LONGEST);
  }
  if (typeof told?.cpu_us === "number") reply.cpu_us = Math.round(told.cpu_us);
  if (told?.isBroken === true) reply.isBroken = true;
  const { action } = told ?? {};
  reply.action = typeof action === "string" ? action.slice(0, LONGEST) : null;
  return reply;
}
