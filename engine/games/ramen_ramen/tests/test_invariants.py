"""Properties of any play."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import SeededChance
from engine.games import GAMES

GAME = GAMES["ramen_ramen"]
VARIANTS = GAME.options["empty_deck"].choices


def started(data, seed):
    variant = data.draw(st.sampled_from(VARIANTS), label="empty_deck")
    seats = data.draw(st.sampled_from(GAME.seats), label="seats")
    return GAME.start(seats, SeededChance(seed), {"empty_deck": variant})


@settings(max_examples=30, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_any_play_keeps_every_card_and_ends_with_empty_hands(data, seed):
    state = started(data, seed)
    choices = data.draw(st.lists(st.integers(0, 35), min_size=54, max_size=54), label="choices")
    for choice in choices:
        if state.to_act is None:
            break
        legal = state.legal()
        state.apply(legal[choice % len(legal)])
        state.audit()

    assert state.to_act is None
    assert sum(state.points) == sum(state.result().points[: len(state.points)])


@settings(max_examples=30, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(0, 50))
def test_a_copy_goes_its_own_way(data, seed, steps):
    state = started(data, seed)
    rng = Random(seed)
    for _ in range(steps):
        if state.to_act is not None:
            state.apply(state.sample(rng))
    before = state.observe(None)
    twin = state.copy()

    while twin.to_act is not None:
        twin.apply(twin.sample(rng))

    assert state.observe(None) == before


@settings(max_examples=30, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32), steps=st.integers(0, 50))
def test_a_hidden_twin_looks_the_same_to_its_seat(data, seed, steps):
    state = started(data, seed)
    rng = Random(seed)
    for _ in range(steps):
        if state.to_act is not None:
            state.apply(state.sample(rng))
    seat = data.draw(st.integers(0, state.seats - 1), label="seat")

    twin = state.hidden_twin(seat, rng)

    twin.audit()
    assert twin.observe(seat) == state.observe(seat)
    assert sorted(map(len, twin.hands)) == sorted(map(len, state.hands))
