"""WebAssembly: any language that compiles to a module for WASI preview 1, run by wasmtime.

A module's time is fuel: the instructions it executes. So a play repeats exactly, wherever it runs
and whatever else runs there. The kernel's CPU clock stays as a net, since fuel is not quite time.
"""

from __future__ import annotations

from collections.abc import Iterator

from sandbox.languages.language import KIB, Language, Starter
from sandbox.wasm import preview1

HEADER = b"\0asm\x01\0\0\0"
COMPONENT = b"\0asm\x0d\0\x01\0"
IMPORTS, EXPORTS = 2, 7  # sections
WANTED = {"_start": 0, "memory": 2}  # exports, and their kinds


class _Malformed(Exception):
    pass


class _Reader:
    """Numbers and names from the bytes of a module; never past their end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def __bool__(self) -> bool:
        return self._at < len(self._data)

    def byte(self) -> int:
        return self.take(1)[0]

    def take(self, size: int) -> bytes:
        part = self._data[self._at : self._at + size]
        if len(part) < size:
            raise _Malformed
        self._at += size
        return part

    def number(self) -> int:
        value = 0
        for shift in range(0, 35, 7):
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
        raise _Malformed

    def name(self) -> str:
        try:
            return self.take(self.number()).decode()
        except UnicodeDecodeError:
            raise _Malformed from None

    def limits(self) -> None:
        flags = self.byte()
        self.number()
        if flags & 1:
            self.number()


def slip(content: bytes) -> str:
    """What keeps a module from running here, as far as its outside tells."""
    if content.startswith(COMPONENT):
        return (
            "the file is a component, as WASI preview 2 has them; build a plain module for"
            " preview 1 (target wasm32-wasip1 or wasm32-wasi)"
        )
    if not content.startswith(HEADER):
        return "the file is not a WebAssembly module: it does not begin like one"
    try:
        sections = dict(_sections(content))
        strangers = [
            f"{module}.{name}"
            for module, name, is_function in _imports(_Reader(sections.get(IMPORTS, b"\0")))
            if not is_function or module != preview1.MODULE or name not in preview1.FUNCTIONS
        ]
        exports = set(_exports(_Reader(sections.get(EXPORTS, b"\0"))))
    except _Malformed:
        return "the file is not a whole WebAssembly module: its sections do not fit"
    if strangers:
        shown = strangers[0].encode("ascii", "replace").decode()[:80]
        return f"the module imports {shown}; only functions of {preview1.MODULE} are there"
    for name, kind in WANTED.items():
        if (name, kind) not in exports:
            what = "function" if kind == 0 else "memory"
            return f"the module exports no {what} `{name}`; build a program with a main function"
    return ""


def _sections(content: bytes) -> Iterator[tuple[int, bytes]]:
    reader = _Reader(content[len(HEADER) :])
    while reader:
        yield reader.byte(), reader.take(reader.number())


def _imports(reader: _Reader) -> Iterator[tuple[str, str, bool]]:
    for _ in range(reader.number()):
        module, name, kind = reader.name(), reader.name(), reader.byte()
        if kind == 0:
            reader.number()
        elif kind == 1:
            reader.byte()
            reader.limits()
        elif kind == 2:
            reader.limits()
        else:
            reader.take(2)
        yield module, name, kind == 0


def _exports(reader: _Reader) -> Iterator[tuple[str, int]]:
    for _ in range(reader.number()):
        name, kind = reader.name(), reader.byte()
        reader.number()
        yield name, kind


C = r"""// A bot for {title}, to start from: it plays at random. Any language does
// that compiles to a WebAssembly module for WASI preview 1. Build it with clang, lld and wasi-libc:
//
//     {build}
//     ladle play {slug} {stem}.wasm {rivals} --log     play once and see what it printed
//     ladle arena {slug} {stem}.wasm {rivals}          play many times and see who is better
//     ladle check {stem}.wasm --game {slug}       would the ladder take it?

// It reads lines of JSON and writes one for each question. The `view` of a question is what you may
// know, and nothing you may not. At the first turn of a play of {seats} it looks like this:
//
{view}
//
// Beside it in the same line:
{menu_words}
// The `kind` of the question is the decision asked of you now. For example:
//
{kinds}
//
// `events` is what happened since your last turn, and `cpu_left_ms` the time you have left, counted
// in instructions, as clock() tells it too: a play begins with {bank} ms, and each decision adds
// {increment}. The rules page of the game explains every field.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char line[1 << 20];

// What stands after a key and its colon; NULL where there is no such key. Enough to start with.
static const char *after(const char *key) {{
  const char *found = strstr(line, key);
  return found ? found + strlen(key) : NULL;
}}

// The n-th text of a list that begins at `list`, and its length; NULL where there are not so many.
static const char *text(const char *list, int n, int *length) {{
  while (*list == '"') {{
    const char *end = strchr(list + 1, '"');
    *length = (int)(end - list - 1);
    if (n-- == 0) return list + 1;
    list = end + 1 + (end[1] == ',');
  }}
  return NULL;
}}

int main(void) {{
  while (fgets(line, sizeof line, stdin)) {{
    if (strncmp(line, "{{\"type\":\"start\"", 15) == 0) {{
      srand((unsigned)strtoull(after("\"luck\":"), NULL, 10)); // the same luck in the same play
    }}
    if (strncmp(line, "{{\"type\":\"decide\"", 16) != 0) continue;
    const char *choices = after("\"legal\":[");
    if (!choices) choices = after("\"suggestions\":[");
    int count = 0, length = 0;
    while (text(choices, count, &length)) count++;
    int chosen = rand() % count;
    const char *action = text(choices, chosen, &length);
    fprintf(stderr, "chose %.*s of %d\n", length, action, count); // goes to the bot's log
    printf("{{\"id\":\"%.16s\",\"action\":\"%.*s\"}}\n", after("\"id\":\""), length, action);
    fflush(stdout);
  }}
}}
"""

RUST = r"""// A bot for {title}, to start from: it plays at random. Any language does
// that compiles to a WebAssembly module for WASI preview 1. Build it with rustc and its target
// wasm32-wasi, which newer ones call wasm32-wasip1:
//
//     {build}
//     ladle play {slug} {stem}.wasm {rivals} --log     play once and see what it printed
//     ladle arena {slug} {stem}.wasm {rivals}          play many times and see who is better
//     ladle check {stem}.wasm --game {slug}       would the ladder take it?

// It reads lines of JSON and writes one for each question. The `view` of a question is what you may
// know, and nothing you may not. At the first turn of a play of {seats} it looks like this:
//
{view}
//
// Beside it in the same line:
{menu_words}
// The `kind` of the question is the decision asked of you now. For example:
//
{kinds}
//
// `events` is what happened since your last turn, and `cpu_left_ms` the time you have left, counted
// in instructions, as Instant tells it too: a play begins with {bank} ms, and each decision adds
// {increment}. The rules page of the game explains every field.

use std::io::{{stdin, stdout, BufRead, Write}};

// What stands after a key and its colon. Good enough to start with; a JSON crate does better.
fn after<'a>(line: &'a str, key: &str) -> Option<&'a str> {{
    line.find(key).map(|at| &line[at + key.len()..])
}}

fn main() {{
    let mut luck: u64 = 1;
    for line in stdin().lock().lines() {{
        let line = line.unwrap();
        if line.starts_with("{{\"type\":\"start\"") {{
            let digits = after(&line, "\"luck\":").unwrap();
            luck = digits.trim_end_matches('}}').parse().unwrap_or(1); // the same in the same play
        }}
        if !line.starts_with("{{\"type\":\"decide\"") {{
            continue;
        }}
        let id = &after(&line, "\"id\":\"").unwrap()[..16];
        let menu = after(&line, "\"legal\":[").or_else(|| after(&line, "\"suggestions\":["));
        let list = menu.unwrap();
        let list = &list[..list.find(']').unwrap()];
        let choices: Vec<&str> = list.trim_matches('"').split("\",\"").collect();
        luck = luck.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let action = choices[(luck >> 33) as usize % choices.len()];
        eprintln!("chose {{}} of {{}}", action, choices.len()); // goes to the bot's log
        println!("{{{{\"id\":\"{{}}\",\"action\":\"{{}}\"}}}}", id, action);
        stdout().flush().unwrap();
    }}
}}
"""

WEBASSEMBLY = Language(
    name="WebAssembly",
    suffix=".wasm",
    interpreter="/python/bin/python3",
    arguments=("-P", "-s", "-S", "-B", "-u"),
    shim="wasm/shim.py",
    starters={
        ".c": Starter(
            C,
            mark="//",
            field="`{}`",
            build="clang --target=wasm32-wasi --sysroot=/usr -O2 -s -o {stem}.wasm {stem}.c",
        ),
        ".rs": Starter(
            RUST,
            mark="//",
            field="`{}`",
            build="rustc --target wasm32-wasi -O -C strip=symbols -o {stem}.wasm {stem}.rs",
        ),
    },
    slip=slip,
    extra="wasm",
    needs="/lib/wasmtime.so",
    is_text=False,
    modules=("sandbox.wasm.shim",),
    has_fuel=True,
    largest=1024 * KIB,
    compiles=True,
    keeps_code=True,
    compile_cpu_ms=20_000,
    compile_memory_mb=1024,
    largest_code=8 * 2**20,
    spare_address_mb=512,  # the engine, and room for a memory of 192 MB to grow into
    environment=(("LANG", "C.UTF-8"), ("PYTHONHASHSEED", "0")),
)
