"""The words of the pages: lines that fit a screen, one name for a thing, no sentence of old."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from tests.servers import ROOT

TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
WIDEST = 160
SOURCES = [
    *TEMPLATES,
    *sorted(
        path
        for folder in ("ladder", "engine", "sandbox")
        for ending in ("py", "js")
        for path in (ROOT / folder).rglob(f"*.{ending}")
    ),
]

# What people stumbled over, and what must not come back.
AWKWARD = [
    "which is the most",
    "as many as a knockout has",
    "It rests.",
    "It goes on.",
    "drawn so far are decided",
    "The luck to come stays that of the seed",
    "gets a second one",
    "Turned away",
    "mended",
    "in spite of its rating",
    "no earlier meeting",
    "one more or less where it must be",
    "At most so many bots",
    "Tables it plays at",
    "for emergencies",
    "not yours to see",
    "rated batch,",
    "an unbeaten side that loses the final",
    "suspend done",
    "lies on nowhere",
    "comes to lie beside everything",
    "This page follows by itself",
    "came to nothing",
    "Look into your mail",
    "can still be had",
    "in one case of twenty",
    "_told()",
    "open_station",
    "_await_own_feet",
]


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def test_no_line_of_a_template_is_too_wide_for_a_screen() -> None:
    wide = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TEMPLATES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > WIDEST
    ]
    assert wide == []


@pytest.mark.parametrize("phrase", AWKWARD)
def test_no_page_says_what_people_stumbled_over(phrase: str) -> None:
    assert [path.name for path in SOURCES if phrase in text_of(path)] == []


def test_pages_call_a_play_and_a_match_by_their_names_and_not_a_game() -> None:
    """A game is a set of rules; what is played is a play, and what is scheduled a match."""
    said = re.compile(r"\b(?:rated|first|next) games?\b|\bgames (?:played|won|each)\b")
    found = [
        f"{path.name}: {words[0]}"
        for path in TEMPLATES
        if (words := said.search(re.sub(r"{[%#{].*?[%#}]}", "", path.read_text(encoding="utf-8"))))
    ]
    assert found == []


# What the house named itself. Everything else that is called a name may be a person's choice.
HOUSE_NAMES = {
    "worker.name", "change.name", "field.name", "file.name", "language.name", "remote.name",
    "row.name",  # of a phase or a kind of decision
}  # fmt: skip


def test_names_that_people_chose_stand_in_bdi() -> None:
    """A name of another direction must not turn round what follows it."""
    bare = re.compile(r"(?<!<bdi>){{ ((?:[a-z_]+\.)+(?:name|owner|author)|[a-z_.]*username) }}")
    skipped = re.compile(
        r"{% block (?:title|description).*?endblock %}|<(svg|option|title|script)\b.*?</\1>"
        r'|="[^"]*"',  # an attribute holds no elements
        re.DOTALL,
    )
    found = [
        f"{path.relative_to(ROOT)}: {match[0]}"
        for path in TEMPLATES
        if path.suffix == ".html"
        for match in bare.finditer(skipped.sub("", text_of(path)))
        if match[1] not in HOUSE_NAMES
    ]
    assert found == []
