// Expected: none
// What is inside Node: its bindings, its debugger, a library from disk.
function decide(view) {
  for (const path of ["@FILE@", "/lib/libc.so.6"]) {
    try { process.dlopen({ exports: {} }, path); console.log("ESCAPED", path); } catch {}
  }
  try { require("inspector").open(0, "127.0.0.1"); if (require("inspector").url()) console.log("ESCAPED inspector"); } catch {}
  try { if (process.binding("spawn_sync").spawn({ file: "/node", args: ["/node"], stdio: [] }).pid) console.log("ESCAPED binding"); } catch {}
  try { require("v8").writeHeapSnapshot("/tmp/heap"); console.log("ESCAPED heap"); } catch {}
  return view.legal[0];
}
