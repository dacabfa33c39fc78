"""The colours: readable in both themes, and the two dark sets the same."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

import ladder

CSS = Path(ladder.__file__).parent / "static/ladder/css"
SHEET = (CSS / "variables.css").read_text(encoding="utf-8")
LIGHT, _, REST = SHEET.partition("@media")
BY_SYSTEM, _, BY_CHOICE = REST.partition(':root[data-theme="dark"]')

INKS = ["ink", "ink-2", "accent", "good", "bad", "wait", *(f"seat{seat}" for seat in range(6))]
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


def colours(sheet: str) -> dict[str, str]:
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6});", sheet))


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("sheet", [LIGHT, BY_CHOICE], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "ground"), PAIRS)
def test_words_stand_out_from_their_ground_by_the_aa_ratio(
    sheet: str, ink: str, ground: str
) -> None:
    found = colours(sheet)

    high, low = sorted((luminance(found[ink]), luminance(found[ground])), reverse=True)

    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_dark_by_choice_and_dark_by_system_are_the_same_colours() -> None:
    assert colours(BY_SYSTEM) == colours(BY_CHOICE)
    assert colours(BY_CHOICE).keys() == colours(LIGHT).keys()


def test_colours_are_written_only_in_the_variables_and_the_drawings() -> None:
    for path in CSS.glob("*.css"):
        if path.name in ("variables.css", "home.css", "matches.css"):  # art; ink on the medal
            continue
        assert not re.search(r"#[0-9a-f]{3,6}\b", path.read_text(encoding="utf-8")), path.name
