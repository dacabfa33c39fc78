"""Properties of any play under any options."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import RandomChance
from engine.games import GAMES

GAME = GAMES["safranito"]
SEEDS = st.integers(0, 2**32)
OPTIONS = st.fixed_dictionaries(
    {name: st.sampled_from(option.choices) for name, option in GAME.options.items()}
)


@given(st.integers(2, 4), OPTIONS, SEEDS)
@settings(max_examples=25, deadline=None)
def test_cards_dishes_tokens_and_money_are_conserved(seats, options, seed):
    rng = Random(seed)
    state = GAME.start(seats, RandomChance(rng), options)
    bank = 0
    for _ in range(150):
        if state.to_act is None:
            break
        state.events = []
        menu = state.suggestions()
        state.apply(rng.choice(menu) if rng.random() < 0.8 else state.sample(rng))
        for event in state.events:
            bank += event.get("earned", 0) - event.get("paid", 0)
        state.audit()
        assert sum(state.money) == 200 * seats + bank


@given(st.integers(2, 4), SEEDS)
@settings(max_examples=15, deadline=None)
def test_all_tokens_are_in_hand_when_a_round_begins(seats, seed):
    rng = Random(seed)
    state = GAME.start(seats, RandomChance(rng))
    round_ = state.round
    for _ in range(120):
        state.apply(rng.choice(state.suggestions()))
        if state.to_act is None:
            break
        if state.round != round_:
            round_ = state.round
            assert state.holding == [63] * seats
            assert state.xs == []


@given(st.integers(2, 4), SEEDS)
@settings(max_examples=15, deadline=None)
def test_every_text_means_its_action(seats, seed):
    rng = Random(seed)
    state = GAME.start(seats, RandomChance(rng))
    for _ in range(40):
        action = state.sample(rng)
        assert state.parse(state.notation(action)) == action
        state.apply(action)
