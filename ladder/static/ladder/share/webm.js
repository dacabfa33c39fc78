// Puts encoded pictures into a WebM file: a header, one track, and clusters of up to five seconds.

const CLUSTER_MS = 5000;

/** @param {{chunks: {data: Uint8Array, isKey: boolean, ms: number}[], codec: string, width: number, height: number, ms: number}} film */
export function webm({ chunks, codec, width, height, ms }) {
  const head = element(0x1a45dfa3, [
    number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8), text(0x4282, "webm"), number(0x4287, 4), number(0x4285, 2),
  ]);
  const info = element(0x1549a966, [number(0x2ad7b1, 1_000_000), real(0x4489, ms), text(0x4d80, "Ladle"), text(0x5741, "Ladle")]);
  const track = element(0x1654ae6b, [element(0xae, [
    number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), text(0x86, codec),
    element(0xe0, [number(0xb0, width), number(0xba, height)]),
  ])]);
  return [head, element(0x18538067, [info, track, ...clusters(chunks)])];
}

// A cluster begins with a picture that needs no other.
function clusters(chunks) {
  const groups = [];
  for (const chunk of chunks) {
    const group = groups.at(-1);
    if (!group || (chunk.isKey && chunk.ms - group[0].ms >= CLUSTER_MS)) groups.push([chunk]);
    else group.push(chunk);
  }
  return groups.map((group) => element(0x1f43b675, [
    number(0xe7, Math.round(group[0].ms)),
    ...group.map(({ data, isKey, ms }) => {
      const after = Math.round(ms - group[0].ms);
      return element(0xa3, [new Uint8Array([0x81, after >> 8, after & 255, isKey ? 0x80 : 0]), data]);
    }),
  ]));
}

function element(id, parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const made = new Uint8Array(idBytes(id).length + 8 + length);
  made.set(idBytes(id));
  let at = idBytes(id).length;
  made[at] = 0x01; // lengths have eight bytes throughout
  new DataView(made.buffer).setUint32(at + 4, length);
  at += 8;
  for (const part of parts) {
    made.set(part, at);
    at += part.length;
  }
  return made;
}

const idBytes = (id) => {
  const bytes = [];
  for (let left = id; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256);
  return bytes;
};

function number(id, value) {
  return element(id, [new Uint8Array(idBytes(value))]);
}

function real(id, value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return element(id, [bytes]);
}

function text(id, value) {
  return element(id, [new TextEncoder().encode(value)]);
}
