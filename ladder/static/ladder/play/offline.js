// Once a game has been loaded, its page works without a network: a service worker keeps what it needs.

const SCOPES = ["/play/", "/tab/"]; // the pages, and the worker that runs Python for them

/**
 * Keep this page and what it needs; it is settled when all of it is kept.
 * @param {string[]} addresses - what the tab's Python loads
 */
export async function keepForOffline(addresses) {
  if (!navigator.serviceWorker) return false; // an insecure address, or an old browser: it works all the same
  const keepers = await Promise.all(SCOPES.map((scope) => navigator.serviceWorker.register("/keeper.js", { scope })));
  await Promise.all(keepers.map(isActive));
  const loaded = performance.getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/static/`));
  const { port1, port2 } = new MessageChannel();
  const kept = new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data);
  });
  keepers[0].active.postMessage({ keep: [location.pathname, ...addresses, ...loaded] }, [port2]);
  return kept;
}

/** @param {ServiceWorkerRegistration} keeper */
function isActive({ installing, waiting, active }) {
  const worker = installing ?? waiting ?? active;
  return new Promise((resolve) => {
    const look = () => worker.state === "activated" && resolve(true);
    worker.addEventListener("statechange", look);
    look();
  });
}
