// Control. Threads and memory that they share, and modules.
const threads = (() => { try { return require("worker_threads"); } catch { return null; } })();
const room = (globalThis.room ??= typeof SharedArrayBuffer === "undefined" ? new Int32Array(1) : new Int32Array(new SharedArrayBuffer(4)));
function decide(view) {
  const found = room[0] || require.cache?.note || threads?.getEnvironmentData?.("note");
  room[0] = 1;
  if (require.cache) require.cache.note = { exports: view };
  try { threads?.setEnvironmentData?.("note", "soup"); } catch {}
  return found ? "REMEMBERED" : "NOTED";
}
