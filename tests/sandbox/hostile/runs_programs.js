// Expected: none
// Other programs, by every door Node has.
const child = require("child_process");
function decide(view) {
  for (const program of ["/bin/sh", "/node", "/python/bin/python3", process.execPath]) {
    try { if (!child.spawnSync(program, ["-v"]).error) console.log("ESCAPED", program); } catch {}
    try { child.spawn(program, ["-v"]).on("error", () => {}).on("spawn", () => console.log("ESCAPED")); } catch {}
  }
  try { child.fork("/ladle/sandbox/shim.cjs").on("error", () => {}); } catch {}
  try { process.execve("/node", ["/node", "-v"], {}); console.log("ESCAPED"); } catch {}
  return view.legal[0];
}
