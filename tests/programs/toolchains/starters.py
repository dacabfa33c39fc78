"""The starters in compiled languages, built by their own commands, play every game.

Run by `make toolchains`, as compilers are large.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from engine.games import GAMES
from sandbox.gate import check
from sandbox.languages import STARTERS, WEBASSEMBLY
from sandbox.program import Program
from sandbox.program.starter import starter

PROJECT = Path(__file__).parents[3]
TOOLS = {
    # Zig's, then Debian's, which have the target, before any other of that name.
    "PATH": f"{PROJECT}/.venv-toolchains/bin:/usr/bin:/bin",
    "ZIG_GLOBAL_CACHE_DIR": f"{PROJECT}/build/zig",
    "GOCACHE": f"{PROJECT}/build/go",
}
BUILT = [suffix for suffix in WEBASSEMBLY.starters if STARTERS[suffix].build]


def build(suffix: str) -> list[str]:
    """The command of a starter; Debian's Rust has an older name for the target."""
    words = STARTERS[suffix].build.format(stem="soup").split()
    if words[0] == "rustc":
        asked = subprocess.run(
            ["rustc", "--print", "target-list"], env=TOOLS, check=True, capture_output=True
        )
        if b"wasm32-wasip1" not in asked.stdout.split():
            words = [word.replace("wasm32-wasip1", "wasm32-wasi") for word in words]
    return words


@pytest.mark.parametrize("suffix", BUILT)
@pytest.mark.parametrize("slug", GAMES)
def test_a_starter_builds_and_passes_the_gate(tmp_path: Path, slug: str, suffix: str) -> None:
    (tmp_path / f"soup{suffix}").write_text(starter(GAMES[slug], suffix, "soup"))
    subprocess.run(build(suffix), cwd=tmp_path, check=True, env=TOOLS)

    report = check(Program("soup.wasm", (tmp_path / "soup.wasm").read_bytes()), GAMES[slug])

    assert report.ok, report.table()


TRICKY = (
    r'{"type":"start","options":{"luck":[1]},"luck":7}',
    r'{ "view" : {"type":"end", "legal":["no"], "note":"\"legal\":[\"no\"] }"}, "type": "decide",'
    r' "id" : "a\\\"b" , "kind":"legal", "legal" : [ "x\"],[", "x\"],[" ] }',
    r'{"type":"decide","id":"2","legals":["no"],"suggestions":["y"],"ranges":{}}',
)


def test_the_c_starter_reads_json_with_blanks_escapes_and_nested_keys(tmp_path: Path) -> None:
    """Built for this machine: what counts is what it reads."""
    (tmp_path / "soup.c").write_text(starter(GAMES["safranito"], ".c", "soup"))
    words = ["clang", "-Wall", "-Wextra", "-Werror", "-o", "soup", "soup.c"]
    subprocess.run(words, cwd=tmp_path, check=True, env=TOOLS)

    answers = subprocess.run(
        [tmp_path / "soup"], input="\n".join(TRICKY), capture_output=True, text=True, check=True
    ).stdout.splitlines()

    assert answers == [
        r'{"id":"a\\\"b","action":"x\"],["}',
        '{"id":"2","action":"y"}',
    ]
