"""The colours: readable in both themes, and one for each seat."""

from __future__ import annotations

import re
from itertools import combinations, product
from math import dist
from pathlib import Path

import pytest

import ladder
from ladder.tournaments.format import MOST_AT_TABLE

CSS = Path(ladder.__file__).parent / "static/ladder/css"
SHEET = (CSS / "variables.css").read_text(encoding="utf-8")
BOTH = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", SHEET)
LIGHT = {name: light for name, light, _ in BOTH}
DARK = {name: dark for name, _, dark in BOTH}
SEATS = [f"seat{seat}" for seat in range(MOST_AT_TABLE)]

INKS = ["ink", "ink-2", "accent", "good", "bad", "wait", *SEATS]
PAIRS = [
    *product(INKS, ["paper", "paper-2", "card"]),
    ("on-accent", "accent"),
    ("on-accent", "accent-2"),
    ("good", "good-wash"),
    ("bad", "bad-wash"),
    ("wait", "wait-wash"),
    ("accent", "wash"),
    ("ink", "wash"),
]


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("found", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_words_stand_out_from_their_ground_by_the_aa_ratio(
    found: dict[str, str], ink: str, ground: str
) -> None:
    high, low = sorted((luminance(found[ink]), luminance(found[ground])), reverse=True)

    assert (high + 0.05) / (low + 0.05) >= 4.5


@pytest.mark.parametrize("found", [LIGHT, DARK], ids=["light", "dark"])
def test_every_seat_of_a_table_has_a_colour_unlike_the_others(found: dict[str, str]) -> None:
    parts = [[int(found[seat][i : i + 2], 16) for i in (1, 3, 5)] for seat in SEATS]

    assert min(dist(one, other) for one, other in combinations(parts, 2)) > 40
    for seat in SEATS:
        assert f".{seat} {{ --seat: var(--{seat}); }}" in SHEET


def test_seats_are_coloured_in_one_place() -> None:
    for path in CSS.parent.rglob("*.css"):
        if path.name != "variables.css":
            assert not re.search(r"\.seat\d", path.read_text(encoding="utf-8")), path.name


def test_colours_are_written_only_in_the_variables_and_the_drawings() -> None:
    for path in CSS.glob("*.css"):
        if path.name in ("variables.css", "home.css", "matches.css"):  # art; ink on the medal
            continue
        assert not re.search(r"#[0-9a-f]{3,6}\b", path.read_text(encoding="utf-8")), path.name
