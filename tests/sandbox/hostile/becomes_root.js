// Expected: none
// Another user, another folder, more rights.
function decide(view) {
  for (const change of ["setuid", "setgid", "seteuid", "setegid"]) {
    try { process[change](0); if (process.getuid() === 0) console.log("ESCAPED", change); } catch {}
  }
  try { process.setgroups([0]); console.log("ESCAPED groups"); } catch {}
  try { require("os").setPriority(0, -20); console.log("ESCAPED priority"); } catch {}
  return view.legal[0];
}
