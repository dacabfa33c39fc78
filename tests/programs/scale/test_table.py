"""A goal that is missed is shown as missed."""

from __future__ import annotations

from tests.programs.scale.table import Figure, table


def test_a_goal_is_met_at_its_bound_and_missed_beyond_it():
    assert Figure("pages", 15, "ms", 15).verdict == "met"
    assert Figure("pages", 15.1, "ms", 15).verdict == "MISSED"
    assert Figure("throughput", 100, "/s", 100, at_least=True).verdict == "met"
    assert Figure("throughput", 99, "/s", 100, at_least=True).verdict == "MISSED"
    assert Figure("a tick", 3, "ms").verdict == ""


def test_the_table_has_a_line_for_every_figure():
    lines = table([Figure("pages", 16, "ms", 15), Figure("a tick", 3, "ms")]).splitlines()

    assert [len(line) for line in lines] == [len(lines[0])] * 4
    assert [cell.strip() for cell in lines[2].split("|")[1:-1]] == [
        *("pages", "16 ms", "≤ 15", "MISSED")
    ]
