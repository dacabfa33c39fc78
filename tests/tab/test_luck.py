"""A bot in JavaScript has the same luck in a tab as on the ladder."""

from __future__ import annotations

import json
import subprocess

from tests.servers import BIN, ROOT

SHIMS = ("sandbox/shim.cjs", "ladder/static/ladder/play/sandbox/javascript.js")
DRAW = """
const drawn = LUCKS.map((luck) => {
  const random = seed(luck) ?? Math.random; // one sets it, the other gives it
  return [random(), random(), random()];
});
console.log(JSON.stringify(drawn));
"""


def drawn(path: str) -> list[list[float]]:
    """The first numbers of its `Math.random` for some seeds."""
    text = (ROOT / path).read_text(encoding="utf-8")
    seed = text[text.index("function seed(luck) {") :].partition("\n}\n")[0] + "\n}\n"
    script = seed + DRAW.replace("LUCKS", json.dumps([0, 7, 2**53 + 11]))
    done = subprocess.run([BIN / "node", "-e", script], capture_output=True, text=True, check=True)
    numbers: list[list[float]] = json.loads(done.stdout)
    return numbers


def test_the_same_seed_draws_the_same_numbers_in_both_shims() -> None:
    jail, tab = map(drawn, SHIMS)

    assert jail == tab
    assert len({number for numbers in tab for number in numbers}) == 9
