// A worker for bots in Python, inside the frame: nothing is loaded here, for nothing can be. The page
// brings Pyodide, Python's library and the engine.

let bot = null;
let shim = null;

async function load({ files, version }) {
  const address = (name) => URL.createObjectURL(new Blob([files[name]], { type: "text/javascript" }));
  const kept = self.fetch;
  // Pyodide asks for its parts by the ends of these names.
  self.fetch = async (wanted) => {
    const name = String(wanted instanceof Request ? wanted.url : wanted).split("/").at(-1);
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(files[name], { headers: { "Content-Type": type } });
  };
  const { loadPyodide } = await import(address("pyodide.mjs"));
  const { default: createPyodideModule } = await import(address("pyodide.asm.mjs"));
  const python = await loadPyodide({
    createPyodideModule,
    indexURL: "https://none.invalid/",
    stdLibURL: "https://none.invalid/library.bin",
    lockFileContents: JSON.stringify({ info: version, packages: {} }),
    stdout: () => {},
    stderr: () => {},
  });
  self.fetch = kept;
  python.unpackArchive(files["engine.bin"], "zip", { extractDir: "/home/pyodide" });
  shim = python.pyimport("ladder.theatre.shim");
}

const calls = {
  load,
  bot({ source, beside, filename }) {
    bot?.close();
    bot?.destroy();
    bot = shim.Bot(source, filename, JSON.stringify(beside));
    return JSON.parse(bot.check());
  },
  hear: ({ player, is_new, start, line }) => JSON.parse(bot.hear(player, is_new, start, line)),
};

addEventListener("message", async ({ data: { call, given } }) => {
  let told = null;
  try {
    told = await calls[call](given);
  } catch (error) {
    // Python itself broke, as it does where a script recurses too deeply.
    told = { raised: String(error?.message ?? error).trim().split("\n").at(-1), isBroken: true };
  }
  postMessage(told ?? {});
});

export {}; // a module, to whoever checks the types
