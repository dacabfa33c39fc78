// The service worker of the pages on which one plays: what they load is kept, so that they work
// without a network. It has no part in any other page.

const KEPT = "ladle-play";
const OURS = ["/play/", "/static/", "/tab/"];
const scope = /** @type {any} */ (self);

scope.addEventListener("install", () => scope.skipWaiting());
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));

scope.addEventListener("message", (event) => {
  const kept = keep(event.data.keep).then(() => true, () => false);
  event.waitUntil(kept.then((isKept) => event.ports[0].postMessage(isKept)));
});

scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (!OURS.some((folder) => pathname.startsWith(folder))) return;
  event.respondWith(pathname.startsWith("/tab/") ? keptFirst(request) : newestFirst(request));
});

/** Keep these addresses, as a visitor gets them, and of a tab's files no others. */
async function keep(addresses) {
  const cache = await caches.open(KEPT);
  const wanted = new Set(addresses.map((address) => new URL(address, location.origin).href));
  for (const { url } of await cache.keys()) {
    if (new URL(url).pathname.startsWith("/tab/") && !wanted.has(url)) await cache.delete(url);
  }
  await Promise.all([...wanted].map(async (address) => {
    // What has its content in its name never changes.
    if (new URL(address).pathname.startsWith("/tab/") && await cache.match(address)) return;
    const response = await fetch(address, { credentials: "omit" });
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    await cache.put(address, response);
  }));
}

/** A file whose name says what is in it. */
async function keptFirst(request) {
  return await caches.match(request, { cacheName: KEPT }) ?? fetch(request);
}

async function newestFirst(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const kept = await caches.match(request, { cacheName: KEPT, ignoreSearch: request.mode === "navigate" });
    if (kept) return kept;
    throw error;
  }
}
