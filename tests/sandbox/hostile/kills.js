// Expected: none, crash
// Signals to whoever can be named.
function decide(view) {
  for (const pid of [Number("@PID@"), Number("@RUNNER@")]) {
    try { if (process.kill(pid, "SIGKILL")) console.log("ESCAPED", pid); } catch {}
  }
  try { process.kill(-1, "SIGTERM"); } catch {}
  return view.legal[0];
}
