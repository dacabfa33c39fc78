// `npm run build`: what browsers load, in few files, into build/static.
//
// A bundle takes the address of the file it is made of, and Django finds it first; so pages name
// one file, whether it comes bundled or as it was written.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";
import { makeTab } from "./tab.mjs";

const FOLDER = "build/static";
const SITE = "ladder/static/ladder";
const GAMES = "engine/games";

/** Every game's file of this name, with its place among the static files. */
function ofGames(name) {
  return readdirSync(GAMES)
    .filter((slug) => existsSync(`${GAMES}/${slug}/static/${name}`))
    .map((slug) => ({
      in: `${GAMES}/${slug}/static/${name}`,
      out: `games/${slug}/${name.replace(/\.\w+$/, "")}`,
    }));
}

/** A file of the site itself. */
function ofSite(name) {
  return { in: `${SITE}/${name}`, out: `ladder/${name.replace(/\.\w+$/, "")}` };
}

/** @type {import("esbuild").BuildOptions} */
const shared = {
  bundle: true,
  minify: true,
  outdir: FOLDER,
  target: ["chrome109", "firefox115", "safari16.4"],
  loader: { ".woff2": "file", ".woff": "empty" },
  assetNames: "ladder/fonts/[name]",
  legalComments: "none",
  logLevel: "warning",
  write: false,
};

/** Write what has changed, whole or not at all: a server or a test may be reading it. */
function store(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

const tab = await makeTab();
// A service worker's address says which pages it may serve, so it lies at the top.
const keeper = await build({ ...shared, format: "iife", entryPoints: [`${SITE}/play/keeper.js`], outdir: "build/served" });
const built = await Promise.all([
  build({
    ...shared,
    entryPoints: [ofSite("css/site.css"), ofSite("css/operators.css"), ofSite("theatre/theatre.css"), ofSite("play/play.css"), ofSite("play/workshop.css"), ...ofGames("board.css")],
  }),
  build({ ...shared, format: "iife", entryPoints: [ofSite("js/site.js")] }),
  // Modules: a theatre loads the board of its game.
  build({
    ...shared,
    format: "esm",
    define: { TAB: JSON.stringify(tab) },
    entryPoints: [
      ofSite("theatre/theatre.js"),
      ofSite("theatre/example.js"),
      ofSite("play/play.js"),
      ofSite("play/puzzle.js"),
      ofSite("play/workshop.js"),
      ofSite("play/friends.js"),
      ofSite("js/table.js"),
      ...ofGames("board.js"),
    ],
  }),
]);
// Cards are made with the font in the form that their maker reads, one file for each weight.
const FONT = "node_modules/@expo-google-fonts/figtree";
for (const weight of ["400Regular", "500Medium", "600SemiBold", "700Bold", "800ExtraBold"]) {
  store(`build/cards/${weight}.ttf`, readFileSync(`${FONT}/${weight}/Figtree_${weight}.ttf`));
}
for (const { path, contents } of [keeper, ...built].flatMap((one) => one.outputFiles)) store(path, contents);
