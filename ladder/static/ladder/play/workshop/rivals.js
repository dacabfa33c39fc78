// Whom a bot that is being written can be tried against: house bots, your own versions, bots whose source is public.

import { html } from "../../theatre/dom.js";
import { Sandbox } from "../sandbox.js";

const GROUPS = { house: "House bots", own: "Your versions", public: "Public bots" };

/** @param {{bots: {short: string, name: string, group: string, language?: string, runner?: string, source?: string}[], houseSource: (short: string) => Promise<string>}} given */
export function createRivals({ bots, houseSource }) {
  const sandboxes = new Map();
  const choice = html("select", {}, Object.entries(GROUPS).map(([group, words]) => {
    const members = bots.filter((bot) => bot.group === group);
    return members.length ? html("optgroup", { label: words }, members.map(({ short, name }) => html("option", { value: short }, name))) : null;
  }));
  choice.value = "greedy";
  const chosen = () => bots.find((bot) => bot.short === choice.value);

  /** @param {{short: string, source?: string}} bot */
  async function textOf({ short, source }) {
    if (!source) return houseSource(short);
    const response = await fetch(source);
    if (!response.ok) throw new Error(`its source cannot be loaded, the server answered ${response.status}`);
    return response.text();
  }

  return {
    label: html("label", {}, "Against ", choice),
    name: () => chosen().name,
    /** What the engine gets of the opponent, once it can play; throws a sentence when it cannot. */
    async prepare() {
      const bot = chosen();
      for (const [short, sandbox] of sandboxes) if (short !== bot.short) { sandbox.close(); sandboxes.delete(short); }
      if (!bot.language) return { rival: bot.short };
      if (!sandboxes.has(bot.short)) sandboxes.set(bot.short, new Sandbox({ language: bot.language, runner: bot.runner, source: await textOf(bot) }));
      const { broken, stopped } = await sandboxes.get(bot.short).open();
      if (broken || stopped) throw new Error(`${bot.name} cannot run in a browser's tab: ${broken ?? stopped}`);
      return { rival_name: bot.name };
    },
    ask: (message) => sandboxes.get(choice.value).ask(message),
    stop: () => sandboxes.get(choice.value)?.stop("you stopped it", "timeout"),
  };
}
