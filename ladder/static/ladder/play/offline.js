// Once a game has been loaded, its page works without a network: a service worker keeps what it needs.

const SCOPES = ["/play/", "/tab/"]; // the pages, and the worker that runs Python for them

/** @param {string[]} addresses - what the tab's Python loads */
export async function keepForOffline(addresses) {
  if (!navigator.serviceWorker) return; // an insecure address, or an old browser: it works all the same
  await Promise.all(SCOPES.map((scope) => navigator.serviceWorker.register("/keeper.js", { scope })));
  const { active } = await navigator.serviceWorker.ready;
  const loaded = performance.getEntriesByType("resource")
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`${location.origin}/static/`));
  active?.postMessage({ keep: [location.pathname, ...addresses, ...loaded] });
}
