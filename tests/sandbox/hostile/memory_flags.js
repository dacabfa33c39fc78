// Expected: memory "memory"
// V8 is told that it may have more.
require("v8").setFlagsFromString("--max-old-space-size=4096");
function decide(view) {
  const all = [];
  for (;;) all.push(new Array(100_000).fill(all.length));
}
