"""Python in a browser's tab plays what CPython plays, to the last bit."""

from __future__ import annotations

import json

import pytest

from tests.servers import bundle
from tests.tab import in_a_tab
from tests.tab.plays import analyses, digests


@pytest.mark.parametrize(
    "count", [1, pytest.param(13, marks=pytest.mark.slow, id="208 plays")], ids=str
)
def test_all_boards_give_the_same_digests_in_a_tab(count: int) -> None:
    bundle()

    told = in_a_tab("digests", count)

    theirs = json.loads(told)
    assert len(theirs) == 16
    assert all(len(set(plays)) == count for plays in theirs.values())
    assert theirs == json.loads(digests(count))


def test_analyses_in_a_tab_are_those_of_cpython_to_the_last_digit() -> None:
    bundle()

    theirs = json.loads(in_a_tab("analyses", 2))

    assert len(set(theirs.values())) == 8
    assert theirs == json.loads(analyses(2))
