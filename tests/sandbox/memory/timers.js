// Timers that would go on, descriptors, ids.
const fs = require("fs");
function decide(view) {
  let found = process.pid !== 1 || process.ppid !== 0;
  for (let fd = 40; fd < 64; fd += 1) {
    try { fs.fstatSync(fd); found = true; } catch {}
  }
  setInterval(() => view, 1);
  return found ? "REMEMBERED" : "NOTED";
}
