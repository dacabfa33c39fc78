// The daily deal: which play counts, where it goes on after a reload, and what the referee says of it.

import { html } from "../theatre/dom.js";

const KEY = "ladle-daily";

const load = () => {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {}; // unreadable, or a browser that stores nothing
  }
};

const store = (kept) => {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The play goes on; a reload cannot continue it.
  }
};

/** Guests have a streak in this browser: days in a row with a finished deal. */
function localStreak(days, today) {
  let length = 0;
  const at = new Date(`${today}T00:00:00Z`);
  while (days.includes(at.toISOString().slice(0, 10))) {
    length += 1;
    at.setUTCDate(at.getUTCDate() - 1);
  }
  return length;
}

/** @param {{daily: any, game: string, you: string}} given */
export function createDaily({ daily, game, you }) {
  // A try of a user goes on for that user only.
  const name = `${game}: ${daily.is_signed_in ? you : ""}`;
  const kept = () => {
    const found = load()[name];
    return found?.deal === daily.deal ? found : null;
  };
  const keep = (change) => {
    const now = load();
    store({ ...now, [name]: { deal: daily.deal, ticket: "", given: [], ...kept(), ...change } });
  };
  const headers = () => ({ "X-CSRFToken": daily.token, "X-Daily-Ticket": kept()?.ticket ?? "" });

  async function post(address, body = undefined) {
    const response = await fetch(address, {
      method: "POST", credentials: "same-origin", body, headers: { ...headers(), "Content-Type": "application/gzip" },
    });
    if (!response.headers.get("Content-Type")?.startsWith("application/json")) {
      throw new Error(response.status === 429 ? "there were too many requests. Try again later" : `the server answered ${response.status}`);
    }
    const told = await response.json();
    if (told.problem) throw new Error(told.problem.replace(/\.$/, ""));
    return told;
  }

  const self = {
    isCounted: false,
    seed: daily.seed,

    seats: () => [{ name: you }, ...Array(daily.seats - 1).fill(daily.rival)],

    /** Begin, or go on; the answers given so far. */
    async start() {
      const before = kept();
      if (daily.is_signed_in) {
        const told = await post(daily.start);
        self.isCounted = told.is_counted;
        if (told.is_counted) keep({ ticket: told.ticket });
      } else {
        self.isCounted = !before?.done;
        if (!before) keep({});
      }
      return self.isCounted ? before?.given ?? [] : [];
    },

    save(given) {
      if (self.isCounted) keep({ given });
    },

    /** Send the play to the referee; a box that fills with the result. */
    finish(replay) {
      const box = html("div", { class: "daily-result", role: "status" });
      const counted = self.isCounted;
      const send = async () => {
        box.replaceChildren(html("p", {}, "The server checks your game …"));
        try {
          const told = await post(daily.finish, await replay());
          if (counted) keep({ done: true, given: [] });
          box.replaceChildren(...result(told, counted));
        } catch (error) {
          box.replaceChildren(
            html("p", { class: "problem" }, `The result could not be checked: ${error.message}.`),
            html("p", { class: "actions" }, html("button", { type: "button", class: "button slight", onclick: send }, "Send the result again")),
          );
        }
      };
      send();
      self.isCounted = false; // any further play is practice
      return box;
    },
  };

  function result({ is_counted: isCounted, place, points, lead, rank, tries, streak, house }, counted) {
    const days = isCounted ? streak : counted && !daily.is_signed_in ? guestStreak() : 0;
    const ahead = house.filter((one) => place < one.place || (place === one.place && lead > one.lead)).length;
    const words = [
      isCounted ? `Rank ${rank} of ${tries} today.` : counted ? "Checked by the server." : "This was practice: only the first try counts.",
      `You did better than ${ahead} of ${house.length} house bots on this deal.`,
      days > 0 ? `Your streak: ${days} ${days === 1 ? "day" : "days"}.` : "",
    ].filter(Boolean).join(" ");
    const text = [
      `Ladle daily deal, ${daily.title}, ${daily.day}: ${place === 1 ? "won" : "lost"} by ${Math.abs(lead)} (${points} points)`,
      ...(isCounted ? [`rank ${rank} of ${tries}`] : []), `better than ${ahead} of ${house.length} house bots`, daily.page,
    ].join("\n");
    const copy = html("button", { type: "button", class: "button", onclick: async () => {
      await navigator.clipboard.writeText(text);
      copy.textContent = "Copied";
    } }, "Copy result");
    return [
      html("p", {}, html("b", {}, "Daily deal. "), words),
      html("ul", { class: "daily-house" }, house.map((one) => html("li", {}, `${one.bot}: ${one.place === 1 ? "won" : "lost"} by ${Math.abs(one.lead)}`))),
      html("p", { class: "actions" }, html("a", { class: "button", href: daily.page }, "See the table"), counted && navigator.clipboard ? copy : null),
      daily.is_signed_in ? null : html("p", { class: "quiet small" }, "Sign in before you start tomorrow's deal to enter the table."),
    ].filter((one) => one !== null);
  }

  function guestStreak() {
    const now = load();
    const days = [...new Set([...(now.days ?? []), daily.day])].slice(-400);
    store({ ...now, days });
    return localStreak(days, daily.day);
  }

  /** The form before the play. */
  self.door = (sit) => {
    const before = kept();
    const isPractice = before?.done;
    const label = isPractice ? "Practise this deal" : before ? "Continue your try" : "Start today's deal";
    return html(
      "form", { class: "seating daily-door", onsubmit: (event) => { event.preventDefault(); sit(); } },
      html("h2", {}, "Daily deal"),
      html("p", {}, isPractice
        ? "You have finished today's deal. You can play it again as practice."
        : `You play against ${daily.rival.name}, with the same luck as everyone today. The first try counts: there are no hints, and no move can be taken back.`),
      html("p", { class: "actions" }, html("button", { class: "button main large" }, label), html("a", { class: "button", href: daily.page }, "See the table")),
      daily.is_signed_in ? null : html("p", { class: "quiet small" }, "You are not signed in: your result is checked and kept in this browser, and does not enter the table."),
    );
  };
  return self;
}
