"""Why one action is better than another, in a sentence."""

import pytest

from engine.games.potage_sauvage.analyst import ANALYST
from engine.games.potage_sauvage.tests.positions import play, position


@pytest.mark.parametrize(
    ("played", "best", "sentence"),
    [
        ("F5", "FH", "The move played takes the pot: +3 for the recipe of this seat."),
        ("FH", "F5", "That takes the pot: +3 for the recipe of this seat."),
        ("FH", "F1", "It leaves the pot at 8 instead of 7."),
        ("F1", "F1", ""),
    ],
)
def test_a_card_takes_the_pot_or_changes_what_it_is_at(played, best, sentence):
    state = play(position("F4 F2", "F3 V1", "F5 FH F1", recipes="VVF"), "F4 F3")

    told = ANALYST.reason(state, 2, state.parse(played), state.parse(best))

    assert told == sentence


def test_a_recipe_is_better_by_the_cards_that_fit_it():
    state = position("F4 F2 F1 V3", "F3 V1 I1 I2")

    def reason(played, best):
        return ANALYST.reason(state, 0, state.parse(played), state.parse(best))

    assert reason("V", "F") == "The hand holds 3 fruit cards, and 1 vegetable card."
    assert reason("W", "F") == "", "water wants no suit"
