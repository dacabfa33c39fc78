// Calls a function of plays.py in Pyodide, from the files that a tab is served, and writes what it
// tells: node tests/tab/plays.mjs digests 1

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { loadPyodide } from "pyodide";

const SERVED = "build/served/tab";
const folder = (kind) => join(SERVED, readdirSync(SERVED).find((name) => name.startsWith(`${kind}-`)));
const python = await loadPyodide({
  indexURL: resolve("node_modules/pyodide"), stdLibURL: resolve(folder("python"), "library.bin"),
});
python.unpackArchive(new Uint8Array(readFileSync(join(folder("table"), "engine.bin"))), "zip", { extractDir: "/home/pyodide" });
python.runPython("import ladder.theatre.live"); // brings the clock that bots ask for
python.runPython(readFileSync("tests/tab/plays.py", "utf-8"));
process.stdout.write(python.globals.get(process.argv[2])(Number(process.argv[3])));
