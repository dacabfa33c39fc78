// Expected: crash
// Limits: short
// Threads that burn while the bot waits.
const { Worker } = require("worker_threads");
function decide(view) {
  for (let at = 0; at < 4; at += 1) new Worker("for (;;);", { eval: true });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return view.legal[0];
}
