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


@pytest.mark.parametrize("extra", range(4))
def test_a_draw_needs_up_to_four_extra_sets(extra):
    decision = knockout_winner((4, 5), [DRAW] * (1 + extra))

    assert decision.needs_set
    assert decision.reason == f"drawn: extra set {extra + 1} of 4"


def test_an_extra_set_that_is_won_decides():
    decision = knockout_winner((4, 5), [DRAW, DRAW, SECOND])

    assert decision.winner == 5
    assert decision.reason == "won after 2 extra sets, 2 to 1"


def test_after_four_extra_draws_the_larger_margin_decides():
    ahead = SetScore((0.5, 0.5), points=(20, 23))

    decision = knockout_winner((4, 5), [ahead] * 5)

    assert decision.winner == 5
    assert decision.reason == "drawn; the larger margin, 115 to 100"


def test_at_last_the_better_seed_goes_on():
    assert knockout_winner((5, 4), [DRAW] * 5).winner == 4
