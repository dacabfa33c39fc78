// Expected: none
// What this machine is and has.
const os = require("os");
function decide(view) {
  try { if (os.totalmem()) console.log("ESCAPED memory", os.totalmem()); } catch {}
  try { if (os.cpus().length) console.log("ESCAPED cpus", os.cpus()[0]); } catch {}
  try { if (os.loadavg().some(Boolean)) console.log("ESCAPED load", os.loadavg()); } catch {}
  try { if (Object.keys(os.networkInterfaces()).length) console.log("ESCAPED network"); } catch {}
  try { console.log("ESCAPED", require("fs").statfsSync("/")); } catch {}
  return view.legal[0];
}
