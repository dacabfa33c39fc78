"""Names in the room there is, by the theatre's own script."""

from __future__ import annotations

import json
import subprocess

import pytest

from sandbox.languages.javascript import NODE
from tests.servers import ROOT

SHORTEN = f"""
import {{ shorten }} from "{ROOT}/ladder/static/ladder/theatre/words.js";
import {{ readFileSync }} from "node:fs";
const cases = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(([names, room]) => shorten(names, room))));
"""
TABLES = [
    ["House Greedy (1)", "House Greedy (2)", "House Greedy (3)", "House Random"],
    ["Careful Ladle", "Careful Ladder", "Half Asleep (1)", "Half Asleep (2)"],
    ["A bot with a very long name", "A bot with a very long game", "Guest"],
    ["Soup", "Stew"],
    ["The Quick Miso of the Night", "The Quick Shio of the Night", "The Quick Udon of the Night"],
]


def shortened(cases: list[tuple[list[str], int]]) -> list[list[str]]:
    node = NODE.path()
    assert node is not None
    done = subprocess.run(
        [str(node), "--input-type=module", "-e", SHORTEN],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
    )
    told: list[list[str]] = json.loads(done.stdout)
    return told


def test_no_names_are_cut_so_that_two_look_the_same():
    cases = [(names, room) for names in TABLES for room in range(9, 25)]

    for (names, room), cut in zip(cases, shortened(cases), strict=True):
        assert len(set(cut)) == len(names), (room, cut)
        assert max(map(len, cut)) <= room


@pytest.mark.parametrize("room", [12, 13])
def test_a_name_that_fits_stays_whole(room):
    [cut] = shortened([(["House Greedy", "House Random with a tail"], room)])

    assert cut[0] == "House Greedy"
