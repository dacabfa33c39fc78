// Python in a worker: the engine that judges on the site, loaded into this tab.
//
// Asked by messages {id, call, given}; answers {id, told} or {id, failed}. `loading` tells how much
// has come.

// @ts-expect-error - the build puts Pyodide's folder and version here
const [HOME, VERSION] = [new URL(PYTHON.folder, self.location.href).href, PYTHON.version];
const ENGINE = new URL("./engine.bin", self.location.href).href;

let play = null;
let workshop = null;
let study = null;
let python = null;

/** As `fetch`, telling how much has come. Pyodide loads itself by it, too. */
async function counted(address, options) {
  const response = await plainFetch(address, options);
  const counter = new TransformStream({
    transform(chunk, stream) {
      postMessage({ loading: chunk.length });
      stream.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(counter), response);
}

const plainFetch = self.fetch.bind(self);
self.fetch = counted;

async function load() {
  const coming = fetch(ENGINE);
  const { loadPyodide } = await import(`${HOME}pyodide.mjs`);
  const loaded = await loadPyodide({
    indexURL: HOME,
    stdLibURL: `${HOME}library.bin`,
    lockFileContents: JSON.stringify({ info: VERSION, packages: {} }), // no package is ever asked for
    stdout: () => {},
    stderr: () => {},
  });
  const response = await coming;
  if (!response.ok) throw new Error(`${ENGINE} answers ${response.status}`);
  loaded.unpackArchive(await response.arrayBuffer(), "zip", { extractDir: "/home/pyodide" });
  const [json, live] = [loaded.pyimport("json"), loaded.pyimport("ladder.theatre.live")];
  python = {
    json, live,
    import: (name) => loaded.pyimport(name),
    bytes: (array) => loaded.toPy(array).tobytes(),
  };
}

const ready = load();

const calls = {
  ready: () => true,
  // With the file of a replay, the play goes on from a step of it.
  begin(setup, file = null) {
    play?.destroy();
    play = python.live.LivePlay(python.json.loads(setup), file ? python.bytes(file) : undefined);
    return told(play.opening());
  },
  answer: (text) => told(play.answer(text)),
  move: () => told(play.move()),
  take: (reply) => told(play.take(python.json.loads(reply))),
  hint: () => told(play.hint()),
  film: (viewer) => told(play.film(viewer ?? undefined)),
  replay: () => play.replay().toJs(),
  // The source of a house bot that plays in a sandbox.
  source: (game, short) => python.live.source(game, short),
  // What the decisions of a finished play were worth: begun with its file, gone on with by decision.
  analyse(file, budget) {
    study?.destroy();
    study = python.import("ladder.theatre.analysis").Study(python.bytes(file), budget);
    return true;
  },
  analyseOn: () => told(study.go_on()),
  // A bot that is being written; with the file of a replay, one play goes on from a step of it.
  workshop(setup, file = null) {
    workshop?.destroy();
    workshop = python.import("ladder.theatre.workshop").Workshop(python.json.loads(setup), file ? python.bytes(file) : undefined);
    return true;
  },
  tryOnce: (seed) => told(workshop.play(seed)),
  trySet: (seed) => told(workshop.set(seed)),
  check: (seats) => told(workshop.check(seats)),
  tryOn: (reply) => told(workshop.take(python.json.loads(reply))),
};

/** What Python answers is JSON, so that nothing of it stays behind on this side. */
function told(answer) {
  const text = python.json.dumps(answer);
  answer.destroy();
  return JSON.parse(text);
}

addEventListener("message", async ({ data: { id, call, given } }) => {
  try {
    await ready;
    postMessage({ id, told: calls[call](...given) });
  } catch (error) {
    // Of a Python traceback its last line says what happened.
    postMessage({ id, failed: String(error?.message ?? error).trim().split("\n").at(-1) });
  }
});

export {}; // a module, to whoever checks the types
