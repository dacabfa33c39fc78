// What a tab runs Python with, made at set-up and served as it lies in build/served/tab:
//
//   python-<hash>/  Pyodide, and of Python's library what bots and the engine use, compiled
//   table-<hash>/   the engine with its house bots, compiled, and the worker that plays with them
//
// A folder's name says what is in it, so browsers may keep it for ever. Both are made with Pyodide
// itself, under Node, and only when something has changed.
import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { build } from "esbuild";
import { loadPyodide } from "pyodide";

const FOLDER = "build/served/tab";
const PYODIDE = "node_modules/pyodide";
const WORKER = "ladder/static/ladder/play/worker.js";
const PACKER = "ladder/web/tab.py";
// `live.py` needs no other module of ladder/ than these.
const OURS = ["engine/**/*.py", "engine/games/*/anchors.json", "ladder/__init__.py", "ladder/theatre/*.py"];
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

/** The addresses of both folders and the sizes of what is loaded, for the scripts that load it. */
export async function makeTab() {
  const sources = OURS.flatMap((pattern) => globSync(pattern)).filter((path) => !NOT_OURS.test(path)).sort();
  const library = join(PYODIDE, "python_stdlib.zip");
  const shipped = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"];
  const pythonName = `python-${hashOf(PACKER, join(PYODIDE, "package.json"))}`;
  const version = JSON.parse(readFileSync(join(PYODIDE, "pyodide-lock.json"), "utf-8")).info;
  const worker = await build({
    entryPoints: [WORKER],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: ["chrome109", "firefox115", "safari16.4"],
    define: { PYTHON: JSON.stringify({ folder: `../${pythonName}/`, version }) },
    logLevel: "warning",
  });
  const code = Buffer.from(worker.outputFiles[0].contents);
  const tableName = `table-${createHash("sha256").update(hashOf(PACKER, ...sources)).update(code).digest("hex").slice(0, 12)}`;
  await make(pythonName, async (folder) => {
    await Promise.all(shipped.map((name) => store(folder, name, readFileSync(join(PYODIDE, name)))));
    await store(folder, "library.bin", await packed("library", readFileSync(library)));
  });
  await make(tableName, async (folder) => {
    const texts = Object.fromEntries(sources.map((path) => [path, readFileSync(path, "utf-8")]));
    await store(folder, "worker.js", code);
    await store(folder, "engine.bin", await packed("engine", JSON.stringify(texts)));
  });
  const size = (folder, name) => [`/tab/${folder}/${name}`, readFileSync(join(FOLDER, folder, name)).length];
  const loaded = [
    size(pythonName, "pyodide.asm.wasm"), size(pythonName, "library.bin"), size(tableName, "engine.bin"),
  ];
  const files = [pythonName, tableName].flatMap((folder) => (
    readdirSync(join(FOLDER, folder)).filter((name) => !/\.(br|gz)$/.test(name)).map((name) => `/tab/${folder}/${name}`)
  ));
  return { worker: `/tab/${tableName}/${basename(WORKER)}`, loaded: Object.fromEntries(loaded), files };
}
