// A worker for bots in JavaScript, inside the frame. The script shares it; only the outside judges.

const KEYS = ["events", "legal", "suggestions", "ranges", "cpu_left_ms"];
const MOST_PRINTED = 65536;
const players = new Map();
const announce = self.postMessage.bind(self);
const now = performance.now.bind(performance);
const HOOKS = ["decide", "start", "end"].map(
  (name) => `${name}: typeof ${name} === "function" ? ${name} : module.exports.${name}`,
);
let printed = "";
let filename = "";
let beside = {}; // the other files of a bundle, as texts

for (const name of ["log", "info", "debug", "warn", "error"]) {
  console[name] = (...values) => {
    const line = values.map((one) => (typeof one === "string" ? one : JSON.stringify(one) ?? String(one))).join(" ");
    printed += `${line}\n`.slice(0, MOST_PRINTED - printed.length);
  };
}

// Math.random from a seed, as on the ladder (sandbox/shim.cjs): sfc32, by Chris Doty-Humphrey.
function seed(luck) {
  let [a, b, c, count] = [luck >>> 0, Math.floor(luck / 2 ** 32) >>> 0, 0x1ad1e, 1];
  const next = () => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 16; round += 1) next();
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}

/** Make of a source a function that loads it again. It begins on its own first line, as errors tell lines. */
async function compile(name, source, tail = "") {
  const text = `self.botFiles[${JSON.stringify(name)}] = (exports, require, module) => {${source}\n;${tail}};\n//# sourceURL=${name}`;
  const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    // @ts-expect-error - a worker has it
    self.importScripts(address);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(await slip(name, address) ?? error.message);
  }
}

async function compileAll(source) {
  // @ts-expect-error - the sources put themselves there
  self.botFiles = {};
  for (const [name, text] of Object.entries(beside)) if (name.endsWith(".js")) await compile(name, text);
  await compile(filename, source, `return {${HOOKS.join(", ")}};`);
}

/** The line and kind of a syntax error: only a worker that cannot start tells its line. */
function slip(name, address) {
  return new Promise((tell) => {
    const worker = new Worker(address);
    worker.onerror = (event) => {
      event.preventDefault();
      tell(`${name}, line ${event.lineno}: ${event.message.replace("Uncaught SyntaxError: ", "")}`);
    };
    setTimeout(tell, 1000);
  });
}

/** `require` for a file of a bundle: other files of it, by a path from there; each is loaded once. */
function requiring(from, loaded) {
  return (wanted) => {
    const path = new URL(wanted, `bot:///${from}`).pathname.slice(1);
    const name = [path, `${path}.js`, `${path}.json`, `${path}/index.js`].find((one) => one in beside);
    if (!wanted.startsWith(".") || !name) throw new Error(`there is no module '${wanted}' in a browser's tab`);
    if (!(name in loaded)) {
      loaded[name] = { exports: {} };
      if (name.endsWith(".json")) loaded[name].exports = JSON.parse(beside[name]);
      // @ts-expect-error - the source puts it there
      else self.botFiles[name](loaded[name].exports, requiring(name, loaded), loaded[name]);
    }
    return loaded[name].exports;
  };
}

function load(luck) {
  Math.random = seed(luck);
  const module = { exports: {} };
  // @ts-expect-error - the source puts it there
  const script = self.botFiles[filename](module.exports, requiring(filename, {}), module);
  if (typeof script.decide !== "function") throw new SyntaxError(`${filename} does not define \`function decide(view)\``);
  return { script, random: Math.random };
}

const calls = {
  load: () => ({}),
  async bot(given) {
    ({ filename, beside } = given);
    players.clear();
    try {
      await compileAll(given.source);
      load(0);
    } catch (error) {
      const { raised, detail } = evidence(error);
      if (error instanceof SyntaxError) return { broken: error.message, detail: "" };
      return { broken: `the bot raised ${raised} while it was loaded`, detail };
    }
    return {};
  },
  hear({ player, is_new, start, line }) {
    printed = "";
    let loading = "";
    try {
      if (is_new || !players.has(player)) {
        const begin = JSON.parse(start);
        players.set(player, load(begin.luck));
        players.get(player).script.start?.(begin);
        loading = printed;
        printed = "";
      }
      return { ...answer(players.get(player), JSON.parse(line)), loading, printed };
    } catch (error) {
      return { ...evidence(error), loading, printed };
    }
  },
};

function answer({ script, random }, line) {
  Math.random = random;
  if (line.type === "end") {
    script.end?.(line);
    return {};
  }
  const { view } = line;
  for (const key of KEYS) if (key in line) view[key] = line[key];
  const began = now();
  const action = script.decide(view);
  const cpu_us = Math.round((now() - began) * 1000);
  return { action: JSON.parse(JSON.stringify(action) ?? "null"), cpu_us };
}

/** What was thrown, with the script's own lines of the stack. */
function evidence(error) {
  if (!(error instanceof Error)) return { raised: String(error), detail: "" };
  const lines = String(error.stack ?? "").split("\n").filter((line) => [filename, ...Object.keys(beside)].some((name) => line.includes(name)));
  return { raised: `${error.name}: ${error.message}`, detail: [...lines, `${error.name}: ${error.message}`].join("\n") };
}

addEventListener("message", async ({ data: { call, given } }) => announce(await calls[call](given)));

export {}; // a module, to whoever checks the types
