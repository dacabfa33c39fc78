"""That the storm would see what it is there to see."""

from __future__ import annotations

import json

import pytest

from tests.programs.storm import soak
from tests.programs.storm.site import Site


def written(match: int, event: str = "match finished") -> str:
    return json.dumps({"event": event, "match": match, "attempt": 1})


@pytest.mark.parametrize(
    ("first", "second", "twice"),
    [
        ([written(1), written(2)], [written(3)], 0),
        ([written(1), written(2)], [written(1), written(1, "match lost")], 1),
        ([written(1, "match lost"), written(2)], [written(1)], 0),
        ([written(1), '{"event": "match finished", "mat'], [], 0),
    ],
)
def test_a_match_that_two_attempts_finished_is_counted(tmp_path, first, second, twice):
    (tmp_path / "worker1.log").write_text("\n".join(first))
    (tmp_path / "worker2.log").write_text("\n".join(second))

    assert Site({"LADLE_VAR": str(tmp_path)}, tmp_path).finished_twice() == twice


@pytest.mark.parametrize(
    ("held", "is_flat"),
    [
        ([40 + 30 * (n > 20) for n in range(180)], True),  # a step while it warms up
        ([60 + 10 * (n % 3) for n in range(180)], True),  # plays come and go
        ([60 + n / 6 for n in range(180)], True),  # 10 MB in the second half: within the bound
        ([60 + n / 2 for n in range(180)], False),  # a leak
    ],
)
def test_a_leak_is_told_from_a_step(held, is_flat):
    assert (soak.ended(held) <= soak.most(soak.warmed(held))) == is_flat
