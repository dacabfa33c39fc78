"""The table SIZES.md: smallest text, target, hand and use of the stage of every board."""

from __future__ import annotations

import re
from pathlib import Path

from engine.games import GAMES
from tests.servers import ROOT

# Of commit 29cb3a7, as a walk through it told them: the smallest text at 1280x800 and at 390x844 in
# pixels, and what was drawn on of the stage at 1280x800.
BEFORE = {
    "ramen_ramen": ("11.1", "8.8 to 11.2", "872x493 of 886x583 pixels"),
    "hot_ramen": ("10.3 to 11.5", "7.5 to 10.2", "872x423 (2 and 3 seats) of 886x579 pixels"),
    "potage_sauvage": ("11.1", "7.7 to 10.6", "842x339 (2 and 3 seats)"),
    "safranito": ("8.8", "6.1 to 6.9", "868x428; the board itself 391x391"),
}
HEAD = """# How large boards are drawn

Written by `python -m tests.browser.sizes` from the figures that `test_sizes.py` measures. Stage use
is the share of the stage that the frame of the drawing takes; before, pixels were told. The target
is the shorter side of the smallest thing to touch or click in the first decisions of a game: on the
board what is large enough, and the buttons of the rest. Before, it was measured on a phone in two
places only. Text now is measured in the theatre, and in play with the player's seat at the bottom.
Held is the height of a card in hand, in Hot Ramen of a rolled die.

| board | screen | text before | now | in play | stage before | now | target before | now | held |
|---|---|---|---|---|---|---|---|---|---|
"""
MEASURED = re.compile(r"(\w+ \d) at (\d+)x(\d+): ([\d.]+) px \(.*\), (\d+%) of the stage")
TARGETS = re.compile(
    r"(\w+ \d at \d+x\d+): ([\d.]+) px to touch, ([\d.]+) px held, ([\d.]+) px in play"
)
TARGET_BEFORE = {"potage_sauvage": "20 (recipes)", "safranito": "29 (discs)"}  # on a phone


def table() -> str:
    rows = []
    for game in GAMES:
        desk, phone, use = BEFORE[game]
        told = (ROOT / "build" / f"sizes-{game}.txt").read_text(encoding="utf-8")
        touched = (ROOT / "build" / f"targets-{game}.txt").read_text(encoding="utf-8")
        targets = {board: sizes for board, *sizes in TARGETS.findall(touched)}
        for board, width, height, smallest, share in MEASURED.findall(told):
            at_desk = width == "1280"
            before = (desk if at_desk else phone, use if at_desk else "not measured")
            nothing = ("not measured", "0.0", "not measured")
            target, held, in_play = targets.get(f"{board} at {width}x{height}", nothing)
            was = "not measured" if at_desk else TARGET_BEFORE.get(game, "not measured")
            cells = (board, f"{width}x{height}", before[0], smallest, in_play, before[1], share)
            cells += (was, target, "nothing yet" if held == "0.0" else held)
            rows.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    Path(__file__).with_name("SIZES.md").write_text(table(), encoding="utf-8")
