// Expected: output, timeout
function decide(view) {
  for (;;) require("fs").writeSync(2, "soup ".repeat(10_000));
}
