"""Bots to start from in languages that compile to WebAssembly, and the commands that build them."""

from __future__ import annotations

from sandbox.languages.c import C
from sandbox.languages.go import GO
from sandbox.languages.language import Starter

HEADER = """// A bot for {title}, to start from: it plays at random. Any language does
// that compiles to a WebAssembly module for WASI preview 1. Build it with TOOLS:
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
// in instructions, as CLOCK tells it too: a play begins with {bank} ms, and each decision adds
// {increment}. The rules page of the game explains every field.

"""

CPP = r"""#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

// What stands after a key and its colon; empty where there is no such key. Enough to start with.
static std::string_view after(std::string_view line, std::string_view key) {{
  auto at = line.find(key);
  return at == line.npos ? std::string_view() : line.substr(at + key.size());
}}

// The texts of a list, from behind its bracket on.
static std::vector<std::string_view> texts(std::string_view list) {{
  std::vector<std::string_view> found;
  while (!list.empty() && list[0] == '"') {{
    auto end = list.find('"', 1);
    found.push_back(list.substr(1, end - 1));
    list.remove_prefix(end + 1 + (list[end + 1] == ','));
  }}
  return found;
}}

int main() {{
  std::mt19937_64 luck;
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {{
    if (line.rfind("{{\"type\":\"start\"", 0) == 0) {{
      auto digits = after(line, "\"luck\":");
      luck.seed(std::strtoull(digits.data(), nullptr, 10)); // the same luck in the same play
    }}
    if (line.rfind("{{\"type\":\"decide\"", 0) != 0) continue;
    auto menu = after(line, "\"legal\":[");
    if (menu.empty()) menu = after(line, "\"suggestions\":[");
    auto choices = texts(menu);
    auto action = choices[luck() % choices.size()];
    std::cerr << "chose " << action << " of " << choices.size() << "\n"; // goes to the bot's log
    auto id = after(line, "\"id\":\"").substr(0, 16);
    std::cout << "{{\"id\":\"" << id << "\",\"action\":\"" << action << "\"}}" << std::endl;
  }}
}}
"""

RUST = r"""use std::io::{{stdin, stdout, BufRead, Write}};

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

ZIG = r"""const std = @import("std");
const wasi = std.os.wasi;

var room: [1 << 20]u8 = undefined;
var room_to_write: [1 << 16]u8 = undefined;

// The next line; null where there are no more.
fn next() ?[]const u8 {{
    var size: usize = 0;
    while (size == 0 or room[size - 1] != '\n') {{
        const free = [_]std.posix.iovec{{.{{ .base = room[size..].ptr, .len = room.len - size }}}};
        var got: usize = 0;
        if (wasi.fd_read(0, &free, 1, &got) != .SUCCESS or got == 0) return null;
        size += got;
    }}
    return room[0 .. size - 1];
}}

fn write(file: wasi.fd_t, text: []const u8) void {{
    const whole = [_]std.posix.iovec_const{{.{{ .base = text.ptr, .len = text.len }}}};
    var done: usize = 0;
    _ = wasi.fd_write(file, &whole, 1, &done);
}}

// What stands after a key and its colon, up to an end. Enough to start with; std.json does better.
fn after(line: []const u8, key: []const u8, comptime end: u8) ?[]const u8 {{
    var parts = std.mem.splitSequence(u8, line, key);
    _ = parts.first();
    if (parts.peek() == null) return null;
    return std.mem.sliceTo(parts.rest(), end);
}}

pub fn main() !void {{
    var luck = std.Random.DefaultPrng.init(0);
    while (next()) |line| {{
        if (std.mem.startsWith(u8, line, "{{\"type\":\"start\"")) {{
            const digits = after(line, "\"luck\":", '}}').?;
            luck = .init(try std.fmt.parseInt(u64, digits, 10)); // the same luck in the same play
        }}
        if (!std.mem.startsWith(u8, line, "{{\"type\":\"decide\"")) continue;
        const menu = after(line, "\"legal\":[", ']') orelse after(line, "\"suggestions\":[", ']').?;
        const list = std.mem.trim(u8, menu, "\"");
        const count = std.mem.count(u8, list, "\",\"") + 1;
        var choices = std.mem.splitSequence(u8, list, "\",\"");
        for (0..luck.random().uintLessThan(usize, count)) |_| _ = choices.next();
        const action = choices.next().?;
        const words = "chose {{s}} of {{d}}\n"; // goes to the bot's log
        write(2, try std.fmt.bufPrint(&room_to_write, words, .{{ action, count }}));
        const id = after(line, "\"id\":\"", '"').?;
        const answer = "{{{{\"id\":\"{{s}}\",\"action\":\"{{s}}\"}}}}\n";
        write(1, try std.fmt.bufPrint(&room_to_write, answer, .{{ id, action }}));
    }}
}}
"""


def _starter(body: str, *, build: str, tools: str, clock: str, colours: str) -> Starter:
    header = HEADER.replace("TOOLS", tools).replace("CLOCK", clock)
    return Starter(header + body, mark="//", field="`{}`", build=build, colours=colours)


STARTERS = {
    ".c": _starter(
        C,
        colours="c",
        build="clang --target=wasm32-wasi --sysroot=/usr -O2 -s -o {stem}.wasm {stem}.c",
        tools="clang, lld and wasi-libc",
        clock="clock()",
    ),
    ".cpp": _starter(
        CPP,
        colours="cpp",
        build="clang++ --target=wasm32-wasi --sysroot=/usr -O2 -fno-exceptions -s"
        " -o {stem}.wasm {stem}.cpp",
        tools="clang, lld, wasi-libc and libc++ for it",
        clock="std::chrono",
    ),
    ".rs": _starter(
        RUST,
        colours="rust",
        build="rustc --target wasm32-wasip1 -O -C strip=symbols -o {stem}.wasm {stem}.rs",
        tools="rustc\n// and its target wasm32-wasip1, which Rust before 1.78 calls wasm32-wasi",
        clock="Instant",
    ),
    ".go": _starter(
        GO,
        colours="go",
        build="env GOOS=wasip1 GOARCH=wasm go build -ldflags=-s -o {stem}.wasm {stem}.go",
        tools="Go 1.21\n// or later",
        clock="time.Now()",
    ),
    ".zig": _starter(
        ZIG,
        colours="zig",
        build="python -m ziglang build-exe -target wasm32-wasi -O ReleaseFast -fstrip"
        " -femit-bin={stem}.wasm {stem}.zig",
        tools="the Python package\n// ziglang",
        clock="the clock of WASI",
    ),
}
