// Expected: none, crash, memory, timeout
const { Worker } = require("worker_threads");
function decide(view) {
  for (let at = 0; at < 500; at += 1) new Worker("setInterval(() => {}, 1000)", { eval: true }).on("error", () => {});
  return view.legal[0];
}
