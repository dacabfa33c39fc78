// The seat's door, as docs/remote.md has it for bots: long polling for news, one POST per decision.
// The secret travels in a header and never in an address.

const WAIT_S = 25;
const FIRST_PAUSE_MS = 300;
const LONGEST_PAUSE_MS = 5000;
const KNOWN = 8; // lines that the server need not send again

export class Refused extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

/** Send a form of the site as JSON; Refused has the server's sentence. */
export async function post(address, token, data) {
  const response = await fetch(address, {
    method: "POST", headers: { "Content-Type": "application/json", "X-CSRFToken": token }, body: JSON.stringify(data),
  });
  if (response.status === 429) throw new Refused(429, "Too many requests from your network. Try again later.");
  const told = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, told.problem ?? `The server answered ${response.status}. Reload the page.`);
  return told;
}

export class Door {
  /** @param {string} address @param {string} secret */
  constructor(address, secret) {
    this.address = address;
    this.headers = { Authorization: `Bearer ${secret}` };
    this.stopped = false;
    this.known = [];
  }

  stop() {
    this.stopped = true;
  }

  /** Call `act` whenever there is news, until the door is closed. */
  async follow(act, problem, lost) {
    let rest = FIRST_PAUSE_MS;
    let wasAway = false;
    while (!this.stopped) {
      try {
        const lines = await this.#poll();
        if (lines === null) return lost();
        // After a break, what came meanwhile may have been missed.
        if (lines.length || wasAway) await act();
        if (wasAway) problem("");
        wasAway = false;
        rest = FIRST_PAUSE_MS;
      } catch {
        wasAway = true;
        problem("The connection is lost. Reconnecting …");
        await pause(rest * (0.5 + Math.random()));
        rest = Math.min(LONGEST_PAUSE_MS, rest * 2);
      }
    }
  }

  async #poll() {
    const response = await fetch(`${this.address}/seat?wait=${WAIT_S}&known=${this.known.join(",")}`, { headers: this.headers });
    if (response.status === 401) return null;
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    const { lines } = await response.json();
    this.known = [...this.known, ...lines.flatMap(({ id }) => (id ? [id] : []))].slice(-KNOWN);
    return lines;
  }

  /** Answer a decision. Sending it again does no harm, so it is sent until it has arrived. */
  async answer(id, action, problem) {
    for (let rest = FIRST_PAUSE_MS; ; rest = Math.min(LONGEST_PAUSE_MS, rest * 2)) {
      const response = await fetch(`${this.address}/decisions/${id}/answer`, {
        method: "POST", headers: { ...this.headers, "Content-Type": "application/json" }, body: JSON.stringify({ action }),
      }).catch(() => null);
      if (response?.ok) return;
      if (response && response.status < 500 && response.status !== 429) {
        const told = await response.json().catch(() => ({}));
        throw new Refused(response.status, told.detail ?? `The server answered ${response.status}.`);
      }
      problem("Your move did not arrive yet. Sending it again …");
      await pause(rest);
    }
  }
}
