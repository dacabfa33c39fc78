// Expected: crash
function decide(view) {
  throw new Error("SOAPBOX: vote for soup");
}
