"""What holds on every path, tried on random ones."""

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import SeededChance
from engine.errors import IllegalAction
from engine.games.potage_sauvage import GAME
from engine.games.potage_sauvage.cards import DECK, RECIPES, score

OPTIONS = st.fixed_dictionaries(
    {name: st.sampled_from(option.choices) for name, option in GAME.options.items()}
)
SEATS = st.sampled_from(GAME.seats)
SEEDS = st.integers(0, 2**32)
PICKS = st.randoms(use_true_random=False)


def started(seats, seed, options):
    return GAME.start(seats, SeededChance(seed), options)


@settings(max_examples=25, deadline=None)
@given(SEATS, SEEDS, OPTIONS, PICKS)
def test_every_step_of_a_play_keeps_the_invariants(seats, seed, options, rng):
    state = started(seats, seed, options)
    plays = 0

    while state.to_act is not None:
        plays += not state.waiting
        state.apply(rng.choice(state.legal()))
        state.audit()

    assert plays <= len(DECK) * 5


@settings(max_examples=25, deadline=None)
@given(SEATS, SEEDS, OPTIONS, PICKS)
def test_points_are_the_floored_sums_of_the_served_deals(seats, seed, options, rng):
    state = started(seats, seed, options)

    while state.to_act is not None:
        state.apply(rng.choice(state.legal()))

    for seat in range(seats):
        points = 5
        for deal in state.served:
            points = max(0, points + deal[seat][1])
        assert state.points[seat] == points


@settings(max_examples=25, deadline=None)
@given(SEATS, SEEDS, PICKS)
def test_the_deals_of_a_seed_do_not_depend_on_what_is_played(seats, seed, rng):
    first, second = started(seats, seed, {}), started(seats, seed, {})

    dealt = []
    for state, choose in ((first, rng.choice), (second, lambda legal: legal[-1])):
        hands = []
        while state.to_act is not None:
            if state.waiting == seats:
                hands.append([state.hand(seat) for seat in range(seats)])
            state.apply(choose(state.legal()))
        dealt.append(hands)

    assert dealt[0] == dealt[1]
    assert len(dealt[0]) == 5


@settings(max_examples=25, deadline=None)
@given(SEATS, SEEDS, OPTIONS, PICKS)
def test_apply_refuses_exactly_what_legal_leaves_out(seats, seed, options, rng):
    state = started(seats, seed, options)
    for _ in range(rng.randrange(80)):
        state.apply(rng.choice(state.legal()))
    before = state.observe(None)

    for action in range(-1, 40):
        copy = state.copy()
        try:
            copy.apply(action)
            accepted = True
        except IllegalAction:
            accepted = False
            assert copy.observe(None) == before
        assert accepted == (action in state.legal()) == state.is_legal(action)


@given(st.lists(st.sampled_from(DECK), max_size=20), st.integers(0, 4))
def test_a_score_is_the_sum_of_what_each_card_is_worth(pile, recipe):
    nothing = score([], recipe)

    assert score(pile, recipe) == nothing + sum(score([card], recipe) - nothing for card in pile)
    assert nothing == (5 if RECIPES[recipe] == "W" else 0)
