// Expected: memory, crash, timeout
// Native code of many modules: memory that is not writable, which the kernel's limit does not count.
function name(text) { return [text.length, ...Buffer.from(text)]; }
function leb(value) { const out = []; do { out.push((value & 127) | (value > 127 ? 128 : 0)); value >>= 7; } while (value); return out; }
function built(seed) {
  const body = [0];
  for (let at = 0; at < 60000; at += 1) body.push(0x41, (seed + at) & 63, 0x41, 1, 0x6a, 0x1a);
  body.push(0x0b);
  const code = [1, ...leb(body.length), ...body];
  return new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 4, 1, 0x60, 0, 0, 3, 2, 1, 0, 7, 5, 1, ...name("f"), 0, 0, 10, ...leb(code.length), ...code]);
}
const held = [];
function decide(view) {
  for (let seed = 0; seed < 40; seed += 1) {
    const made = new WebAssembly.Instance(new WebAssembly.Module(built(seed)));
    made.exports.f();
    held.push(made);
  }
  return view.legal[0];
}
