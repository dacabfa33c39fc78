// Runs inside the jail: reads questions, calls the bot's script, writes its answers.
// The script shares this process; only the outside judges.
"use strict";

const fs = require("node:fs");
const vm = require("node:vm");

const NOT_LOADED = 87; // exit statuses that the outside knows
const RAISED = 88;
const KEYS = ["events", "legal", "suggestions", "ranges", "cpu_left_ms"];

function* lines() {
  const chunk = Buffer.alloc(65536);
  let rest = Buffer.alloc(0);
  for (;;) {
    const size = fs.readSync(0, chunk, 0, chunk.length, null);
    if (size === 0) return;
    rest = Buffer.concat([rest, chunk.subarray(0, size)]);
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = rest.toString("utf8", 0, end);
      rest = rest.subarray(end + 1);
      yield line;
    }
  }
}

// Writes can be short or refused for a moment where a pipe is full.
function write(fd, text) {
  let data = Buffer.from(text);
  while (data.length > 0) {
    try {
      data = data.subarray(fs.writeSync(fd, data));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

function fail(error, status) {
  const text = error && error.stack ? String(error.stack) : `the bot threw ${String(error)}`;
  const own = text.split("\n").filter((line) => !/^\s+at .*(node:|shim\.js)/.test(line));
  // The message last, as in Python: it is what the owner reads first.
  const message = own.find((line) => /Error|threw/.test(line)) || own[0];
  write(2, `\n${own.filter((line) => line !== message).join("\n")}\n${message}\n`);
  process.reallyExit(status);
}

// Math.random from a seed: sfc32, by Chris Doty-Humphrey, in the public domain.
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
  Math.random = () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53;
}

function load(source, filename, folder) {
  const wanted = ["decide", "start", "end"];
  const found = wanted.map(
    (name) => `${name}: typeof ${name} === "function" ? ${name} : module.exports.${name}`,
  );
  const names = ["exports", "require", "module"];
  vm.compileFunction(source, names, { filename }); // alone, so that a syntax error shows its own line
  const tail = `\n;return {${found.join(", ")}};`;
  const run = vm.compileFunction(source + tail, names, { filename });
  const module = { exports: {} };
  const own = folder ? require("node:module").createRequire(`${folder}/${filename}`) : require;
  const script = run(module.exports, own, module);
  if (typeof script.decide !== "function") {
    throw new SyntaxError(`${filename} does not define \`function decide(view)\``);
  }
  return script;
}

function serve() {
  let script = null;
  write(1, '{"ready":1}\n');
  for (const text of lines()) {
    const line = JSON.parse(text);
    if (line.type === "hello") {
      try {
        seed(line.luck);
        script = load(line.source, line.filename, line.folder);
      } catch (error) {
        fail(error, error instanceof SyntaxError ? NOT_LOADED : RAISED);
      }
      write(1, JSON.stringify({ id: line.id }) + "\n");
      continue;
    }
    try {
      if (line.type === "decide") {
        const view = line.view;
        for (const key of KEYS) if (key in line) view[key] = line[key];
        const action = script.decide(view);
        write(1, JSON.stringify({ id: line.id, action: action ?? null }) + "\n");
      } else if (line.type === "start") {
        if (script.start) script.start(line);
      } else if (script.end) {
        script.end(line);
      }
    } catch (error) {
      fail(error, RAISED);
    }
  }
}

// The script's output is its log.
for (const name of ["log", "info", "debug", "warn", "error"]) {
  const { format } = require("node:util");
  console[name] = (...values) => write(2, format(...values) + "\n");
}
serve();
