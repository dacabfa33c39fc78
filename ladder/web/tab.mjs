// What a tab runs Python with, made at set-up and served as it lies in build/served/tab:
//
//   python-<hash>/  Pyodide, and of Python's library what bots and the engine use, compiled
//   table-<hash>/   the engine with its house bots, compiled, and the worker that plays with them;
//                   the frame for bots that nobody trusts, and its workers
//
// A folder's name says what is in it, so browsers may keep it for ever. Both are made with Pyodide
// itself, under Node, and only when something has changed.
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "esbuild";
import { loadPyodide } from "pyodide";

const FOLDER = "build/served/tab";
const PYODIDE = "node_modules/pyodide";
const SCRIPTS = "ladder/static/ladder/play";
const PACKER = "ladder/web/tab.py";
// `live.py` needs no other module of ladder/ than these.
const OURS = ["engine/**/*.py", "engine/games/*/anchors.json", "engine/games/*/bots/*.js", "ladder/__init__.py", "ladder/theatre/*.py"];
const NOT_OURS = /\/tests\/|\/golden|__pycache__/;

function hashOf(...files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(readFileSync(file));
  return hash.digest("hex").slice(0, 12);
}

/** Compressed once, here: browsers are sent these bytes as they are. */
async function store(folder, name, contents) {
  const path = join(folder, name);
  const [brotli, gzipped] = await Promise.all([
    promisify(brotliCompress)(contents, {
      params: { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: contents.length },
    }),
    promisify(gzip)(contents, { level: 9 }),
  ]);
  writeFileSync(path, contents);
  writeFileSync(`${path}.br`, brotli);
  writeFileSync(`${path}.gz`, gzipped);
}

/** Make a folder whole or not at all, and let go of its forerunners. */
async function make(name, fill) {
  const folder = join(FOLDER, name);
  if (existsSync(folder)) return;
  const draft = join(FOLDER, `.${name}.${process.pid}`);
  mkdirSync(draft, { recursive: true });
  try {
    await fill(draft);
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  const kind = name.split("-")[0];
  for (const old of readdirSync(FOLDER)) {
    if (old.startsWith(`${kind}-`) && old !== name) rmSync(join(FOLDER, old), { recursive: true });
  }
}

let python = null;

/** What a function of the packer makes of a file. */
async function packed(call, contents) {
  python ??= await loadPyodide({ indexURL: resolve(PYODIDE) });
  python.runPython(readFileSync(PACKER, "utf-8"));
  python.FS.writeFile("/given", contents);
  python.globals.get(call)();
  return Buffer.from(python.FS.readFile("/made"));
}

/** A script of a tab in one file. */
async function script(name, format, define = {}) {
  const made = await build({
    entryPoints: [join(SCRIPTS, name)],
    bundle: true,
    minify: true,
    write: false,
    format,
    define,
    target: ["chrome109", "firefox115", "safari16.4"],
    logLevel: "warning",
  });
  return Buffer.from(made.outputFiles[0].contents);
}

/** The addresses of both folders and the sizes of what is loaded, for the scripts that load it. */
export async function makeTab() {
  const sources = OURS.flatMap((pattern) => globSync(pattern)).filter((path) => !NOT_OURS.test(path)).sort();
  const library = join(PYODIDE, "python_stdlib.zip");
  const shipped = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"];
  const pythonName = `python-${hashOf(PACKER, join(PYODIDE, "package.json"))}`;
  const version = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf-8")).info;
  const python = JSON.stringify({ folder: `../${pythonName}/`, version });
  const scripts = {
    "worker.js": await script("worker.js", "esm", { PYTHON: python }),
    "python.js": await script("sandbox/python.js", "iife"),
    "javascript.js": await script("sandbox/javascript.js", "iife"),
    // Inline, so that its policy can name this very script and let no other in.
    "frame.html": Buffer.from(`<!doctype html><title>A bot</title><script>${await script("sandbox/frame.js", "iife")}</script>`),
  };
  const hash = createHash("sha256").update(hashOf(PACKER, ...sources));
  for (const code of Object.values(scripts)) hash.update(code);
  const tableName = `table-${hash.digest("hex").slice(0, 12)}`;
  await make(pythonName, async (folder) => {
    await Promise.all(shipped.map((name) => store(folder, name, readFileSync(join(PYODIDE, name)))));
    await store(folder, "library.bin", await packed("library", readFileSync(library)));
  });
  await make(tableName, async (folder) => {
    const texts = Object.fromEntries(sources.map((path) => [path, readFileSync(path, "utf-8")]));
    for (const [name, code] of Object.entries(scripts)) await store(folder, name, code);
    await store(folder, "engine.bin", await packed("engine", JSON.stringify(texts)));
  });
  const served = (folder, name) => `/tab/${folder}/${name}`;
  const size = (folder, name) => [served(folder, name), readFileSync(join(FOLDER, folder, name)).length];
  const loaded = [
    size(pythonName, "pyodide.asm.wasm"), size(pythonName, "library.bin"), size(tableName, "engine.bin"),
  ];
  const files = [pythonName, tableName].flatMap((folder) => (
    readdirSync(join(FOLDER, folder)).filter((name) => !/\.(br|gz)$/.test(name)).map((name) => served(folder, name))
  ));
  return {
    worker: served(tableName, "worker.js"),
    files, // all of them, to play without a network
    loaded: Object.fromEntries(loaded),
    sandbox: {
      frame: served(tableName, "frame.html"),
      version,
      workers: { py: served(tableName, "python.js"), js: served(tableName, "javascript.js") },
      files: [...shipped, "library.bin"].map((name) => served(pythonName, name)).concat(served(tableName, "engine.bin")),
    },
  };
}
