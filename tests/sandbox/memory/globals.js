// Control
globalThis.seen ??= 0;
function decide(view) {
  const found = globalThis.seen || process.env.NOTE || Math.note || require("fs").note;
  globalThis.seen = 1;
  process.env.NOTE = "soup";
  Math.note = require("fs").note = process.note = view;
  return found ? "REMEMBERED" : "NOTED";
}
