"""The table SIZES.md: smallest text and stage use of every board, before and now."""

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
is the share of the stage that the frame of the drawing takes; before, pixels were told.
What can be touched on a phone was 20 pixels (recipes of Potage Sauvage) and 29 (discs of Safranito)
before; `test_thumbs.py` plays every game with targets of 44.

| board | screen | smallest text before | now | stage use before | now |
|---|---|---|---|---|---|
"""
MEASURED = re.compile(r"(\w+ \d) at (\d+)x(\d+): ([\d.]+) px \(.*\), (\d+%) of the stage")


def table() -> str:
    rows = []
    for game in GAMES:
        desk, phone, use = BEFORE[game]
        told = (ROOT / "build" / f"sizes-{game}.txt").read_text(encoding="utf-8")
        for board, width, height, smallest, share in MEASURED.findall(told):
            at_desk = width == "1280"
            before = (desk if at_desk else phone, use if at_desk else "not measured")
            cells = (board, f"{width}x{height}", before[0], smallest, before[1], share)
            rows.append(f"| {' | '.join(cells)} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    Path(__file__).with_name("SIZES.md").write_text(table(), encoding="utf-8")
