// Expected: none
// Native code by a thread with options of its own, by the loader, and by an exec of another program.
function decide(view) {
  const attempts = [
    () => new (require("worker_threads").Worker)("process.dlopen({exports: {}}, '/lib/libm.so.6')", { eval: true, execArgv: ["--addons"] }),
    () => process.execve("/python/bin/python3", ["python3", "-c", "1"], {}),
    () => process.binding("process_wrap"),
    () => require("child_process").spawn("/python/bin/python3", { stdio: "ignore" }),
  ];
  for (const attempt of attempts) {
    try { attempt(); console.log("ESCAPED", String(attempt)); } catch {}
  }
  try { process.dlopen({ exports: {} }, "/lib/libm.so.6"); console.log("ESCAPED"); } catch (error) {
    if (error.code !== "ERR_DLOPEN_DISABLED") console.log("ESCAPED", error.code);
  }
  return view.legal[0];
}
