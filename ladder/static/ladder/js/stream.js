// Live parts follow the stream of events: they ask again when something happened, and poll only while
// the stream is away.

const GATHER_MS = 800; // several events at once are one request
const SELDOM_MS = 60_000; // asked all the same, for what no event tells

/** @type {EventSource | null} */
let source = null;
let isOpen = false;
const asked = new WeakMap();

const address = () => document.querySelector('meta[name="ladle-stream"]')?.getAttribute("content");
const parts = () => /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-events]")]);

// Whether a part need not poll now: the stream is open and will say when there is news.
export function isCovered(/** @type {Element} */ part, /** @type {any} */ detail) {
  if (!part.matches("[data-events]")) return false;
  const isPolling = !detail.requestConfig?.triggeringEvent;
  const isRecent = Date.now() - (asked.get(document.body)?.[part.id] ?? 0) < SELDOM_MS;
  if (isOpen && isPolling && isRecent) return true;
  asked.set(document.body, { ...asked.get(document.body), [part.id]: Date.now() });
  return false;
}

function open() {
  // The page's parts are few and of one subject: one connection serves the first of them.
  const filter = parts()[0]?.dataset.events;
  if (!filter || source || document.hidden) return;
  source = new EventSource(`${address()}?${filter}`);
  source.addEventListener("open", () => {
    isOpen = true;
    document.documentElement.dataset.stream = "open";
  });
  source.addEventListener("error", () => {
    isOpen = false;
    document.documentElement.dataset.stream = "away";
  });
  let waits = 0;
  const news = () => {
    waits ||= window.setTimeout(() => {
      waits = 0;
      for (const part of parts()) part.dispatchEvent(new CustomEvent("news"));
    }, GATHER_MS);
  };
  source.addEventListener("message", news); // the first one says where the stream begins
}

function close() {
  source?.close();
  source = null;
  isOpen = false;
}

// A browser has few connections to a host: a tab that nobody looks at gives its one back.
export function followEvents() {
  if (!address() || !window.EventSource) return;
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  window.addEventListener("pagehide", close);
  open();
}
