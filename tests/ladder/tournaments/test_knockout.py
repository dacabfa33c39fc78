import pytest

from ladder.tournaments import SetScore
from ladder.tournaments.knockout import knockout_winner

DRAW = SetScore((0.5, 0.5))
FIRST, SECOND = SetScore((0.75, 0.25)), SetScore((0, 1))


def test_the_planned_sets_are_played_even_after_a_lead():
    decision = knockout_winner((4, 5), [FIRST], planned=3)

    assert decision.needs_set
    assert decision.reason == "set 2 of 3 is to be played"


def test_the_planned_sets_count_together():
    assert knockout_winner((4, 5), [FIRST, SECOND, DRAW], planned=3).winner == 5


@pytest.mark.parametrize("extra", [0, 1, 4, 19])
def test_a_drawn_match_is_played_on(extra):
    decision = knockout_winner((4, 5), [DRAW] * (1 + extra))

    assert decision.needs_set
    assert decision.reason == f"drawn: extra set {extra + 1} of 20"


def test_an_extra_set_that_is_won_decides():
    decision = knockout_winner((4, 5), [DRAW, DRAW, SECOND])

    assert decision.winner == 5
    assert decision.reason == "won after 2 extra sets, 2 to 1"


def test_the_last_resort_after_twenty_extra_sets_is_the_larger_margin():
    ahead = SetScore((0.5, 0.5), points=(20, 23))

    decision = knockout_winner((4, 5), [ahead] * 21)

    assert decision.winner == 5
    assert decision.reason == "drawn; the larger margin, 483 to 420"


def test_at_last_the_better_seed_goes_on():
    assert knockout_winner((5, 4), [DRAW] * 21).winner == 4
