"""Properties that hold in every play."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import SeededChance
from engine.games.hot_ramen import GAME
from engine.games.hot_ramen import actions as do
from engine.games.hot_ramen.zones import starting_hp

SEEDS = st.integers(0, 2**32)
TRASH_ACTIONS = st.sampled_from(["discard", "remove"])


def random_play(seats, seed, trash_action="discard"):
    """Yields each state of a random play with the action about to be applied, then the end."""
    state = GAME.start(seats, SeededChance(seed), {"trash_action": trash_action})
    rng = Random(seed)
    while state.to_act is not None:
        action = state.sample(rng)
        yield state, action
        state.apply(action)
    yield state, None


@settings(max_examples=40, deadline=None)
@given(seats=st.sampled_from(GAME.seats), seed=SEEDS, trash_action=TRASH_ACTIONS)
def test_dice_are_conserved_and_the_best_survivor_wins(seats, seed, trash_action):
    for state, _ in random_play(seats, seed, trash_action):
        state.audit()

    result = state.result()
    assert result.points[result.places.index(1)] == max(result.points) > 0


@settings(max_examples=20, deadline=None)
@given(seats=st.sampled_from(GAME.seats), seed=SEEDS)
def test_an_ordinary_pick_finds_its_zone_empty(seats, seed):
    for state, action in random_play(seats, seed):
        if action is not None and action < do.PICK_WILD and action >> 9 < 2:
            zone = state.fresh[state.to_act] if action >> 9 else state.pepper
            assert zone == []


@settings(max_examples=20, deadline=None)
@given(seats=st.sampled_from(GAME.seats), seed=SEEDS)
def test_listed_actions_are_distinct_and_in_one_fixed_order(seats, seed):
    for state, action in random_play(seats, seed):
        if action is None:
            break
        listed = list(state.legal())
        assert len(set(listed)) == len(listed)
        assert listed == sorted(listed)


@settings(max_examples=20, deadline=None)
@given(seats=st.sampled_from(GAME.seats), seed=SEEDS)
def test_the_active_seat_never_loses_hp_and_money_never_outlives_its_turn(seats, seed):
    before = None
    for state, _ in random_play(seats, seed):
        if before is not None:
            seat, hp, turn = before
            assert state.hp[seat] >= hp
            if state.turn != turn:
                assert state.cash[seat] == 0
        before = (state.to_act, state.hp[state.to_act or 0], state.turn)
        assert max(state.hp) <= starting_hp(seats)
