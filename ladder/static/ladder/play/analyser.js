// Analyses in this tab: Python judges a decision at a time, and can be left between two.

import { Tab } from "./tab.js";

const LONGEST_MS = 120_000; // for one decision, on a slow machine

/** One pass over a play: tells how far it has come, and at last the `analysis`. */
export async function* passOver(tab, file, budget) {
  await tab.ask("analyse", [file, budget]);
  for (;;) {
    const told = await tab.ask("analyseOn", [], LONGEST_MS);
    yield told;
    if (told.analysis) return;
  }
}

/** Passes over the replay at an address, in a Python of their own. */
export async function analysisOf(address, loading) {
  const tab = new Tab(loading);
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the replay cannot be loaded: the server answered ${response.status}`);
  const file = new Uint8Array(await response.arrayBuffer());
  await tab.ready;
  return (budget) => passOver(tab, file, budget);
}
