// Expected: crash
// No core, no report, no word to others.
function decide(view) {
  try { process.report.writeReport("/tmp/report"); } catch {}
  process.abort();
}
