// Expected: none
// Files of the host, of other processes, and a place to write to.
const fs = require("fs");
function decide(view) {
  for (const path of ["@FILE@", "/etc/passwd", "/proc/self/environ", "/proc/@PID@/cmdline", "/../@FILE@"]) {
    try { console.log("ESCAPED", fs.readFileSync(path, "utf8")); } catch {}
  }
  for (const path of ["/note", "/tmp/note", "/dev/shm/note", "/ladle/note", "/dev/note"]) {
    try { fs.writeFileSync(path, "soup"); console.log("ESCAPED", path); } catch {}
  }
  if (process.env.CANARY_SECRET) console.log("ESCAPED", process.env.CANARY_SECRET);
  return view.legal[0];
}
