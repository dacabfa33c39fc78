// Control on a disk: names looked up in vain, which the kernel finds faster the second time.
const fs = require("fs");
const crypto = require("crypto");

const FOLDERS = ["/", "/ladle", "/ladle/engine", "/python", "/site", "/dev", "/lib", "."];

function took(path) {
  const began = process.hrtime.bigint();
  fs.existsSync(path);
  return Number(process.hrtime.bigint() - began);
}

const middle = (values) => values.sort((a, b) => a - b)[values.length >> 1];

function decide(view) {
  for (let i = 0; i < 2000; i += 1) took(`/warm-${i % 7}`);
  let found = false;
  for (const folder of FOLDERS) {
    const [known, fresh] = [[], []];
    for (let i = 0; i < 60; i += 1) {
      known.push(took(`${folder}/broth-${String(i).padStart(16, "0")}`));
      fresh.push(took(`${folder}/broth-${crypto.randomBytes(8).toString("hex")}`));
    }
    found ||= middle(known) < 0.6 * middle(fresh);
  }
  return found ? "REMEMBERED" : "NOTED";
}
