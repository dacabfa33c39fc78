"""Why one action is better than another, in a sentence."""

import pytest

from engine.games.hot_ramen.analyst import ANALYST
from engine.games.hot_ramen.tests.tables import laid_table


@pytest.mark.parametrize(
    ("dice", "played", "best", "sentence"),
    [
        (("W:R1", "Y:M2"), "pick R", "pick M", "It keeps 2 money instead of 1 ramen."),
        (("R:P2", "R:P1", "W:R1"), "pick R", "pick P", "It keeps 3 pepper instead of 1 ramen."),
        (("R:P2",), "pick P", "pick P", ""),
    ],
)
def test_a_pick_keeps_more_of_something(dice, played, best, sentence):
    state = laid_table("pick", *dice)

    assert ANALYST.reason(state, 0, state.parse(played), state.parse(best)) == sentence
    assert len(state.table) == len(dice), "the table is left as it is"


def test_stopping_serves_what_lies_there():
    state = laid_table("next", "W", "G", pepper="R:3 R:2", leftover="W:1")
    stop, roll = state.parse("stop"), state.parse("roll")

    assert ANALYST.reason(state, 0, roll, stop) == "It serves 5 pepper and keeps 1 ramen."
    told = ANALYST.reason(state, 0, stop, roll)
    assert told == "Stopping serves 5 pepper with 2 dice left to roll."
    state.hp[1], state.leftover[1], state.fresh[1] = 5, [], []
    assert "knock a player out" in ANALYST.reason(state, 0, roll, stop)
