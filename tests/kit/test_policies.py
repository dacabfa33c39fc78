"""Policies for playouts: every game has some, and they play any state on to its end."""

from __future__ import annotations

import pytest

from engine.chance import SeededChance
from engine.games import GAMES
from ladle import policies
from ladle.errors import Refusal


@pytest.mark.parametrize("slug", GAMES)
def test_a_policy_plays_a_copy_of_any_state_to_its_end(slug):
    game = GAMES[slug]
    for seats in [number for number in game.seats if number > 1]:
        state = game.start(seats, SeededChance(seats))
        before = state.observe(None)

        shares = policies.play_out(state, policies.quick(slug))

        assert len(shares) == seats
        assert all(0 <= share <= 1 for share in shares)
        assert sum(shares) == pytest.approx(seats / 2)
        assert state.observe(None) == before


def test_a_house_bot_beats_chance_as_a_policy_too():
    game, won = GAMES["ramen_ramen"], 0.0
    greedy, chance = policies.house("ramen_ramen"), policies.house("ramen_ramen", "random")
    for seed in range(10):
        mixed = lambda state, seat=seed % 2: (greedy if state.to_act == seat else chance)(state)  # noqa: E731
        won += policies.play_out(game.start(2, SeededChance(seed)), mixed)[seed % 2]

    assert won >= 8


def test_what_is_no_policy_is_refused_with_those_there_are():
    with pytest.raises(Refusal, match=r"There are:.*greedy"):
        policies.house("ramen_ramen", "nobody")
    with pytest.raises(Refusal, match=r"Games: .*hot_ramen"):
        policies.quick("chess")
