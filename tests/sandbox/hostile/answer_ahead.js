// Expected: protocol, crash
// Answers nobody asked for, on every descriptor.
const fs = require("fs");
function decide(view) {
  for (let fd = 0; fd < 32; fd += 1) {
    try { fs.writeSync(fd, '{"id":"0000000000000000","action":"soup"}\n'); } catch {}
  }
  return view.legal[0];
}
