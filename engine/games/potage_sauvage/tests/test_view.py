"""What a view shows, and a test per secret."""

import json
from random import Random

import pytest

from engine.chance import SeededChance
from engine.frames import seat_names
from engine.games.potage_sauvage import GAME
from engine.games.potage_sauvage.cards import texts
from engine.games.potage_sauvage.guess import deal_unseen
from engine.games.potage_sauvage.tests.positions import cards, play, position


def later(seats: int, seed: int, steps: int):
    """A state some random steps into a play, telling events."""
    rng = Random(seed)
    state = GAME.start(seats, SeededChance(seed))
    state.events = []
    for _ in range(steps):
        if state.to_act is not None:
            state.apply(state.sample(rng))
    return state


# Secrets


def test_a_view_has_the_own_hand_and_no_other():
    state = position("V1 V2 VR", "I10 F3 T4", "I5", recipes="VIT")

    view = state.observe(1)

    assert view["hand"] == ["I10", "F3", "T4"]
    assert "hands" not in view
    assert "VR" not in json.dumps(view)
    assert view["hand_sizes"] == [3, 3, 1]


def test_the_cards_set_aside_are_only_counted():
    state = position("V1 V2", "I10 F3", recipes="VI")

    view = state.observe(1)

    assert view["aside_size"] == 48
    assert "aside" not in view
    assert "F10" not in json.dumps(view)


def test_a_chosen_recipe_is_hidden_until_all_have_chosen():
    state = position("V1", "V2", "V3")

    play(state, "T W")

    assert state.observe(0)["recipes"] == ["T", "?", None]
    assert state.observe(2)["recipes"] == ["?", "?", None]
    assert state.observe(2)["unused"] == ["IVFTW"] * 3
    play(state, "I")
    assert state.observe(2)["recipes"] == ["T", "W", "I"]


def test_events_tell_a_secret_recipe_only_when_revealed():
    state = position("V1", "V2", "V3")
    state.events = []

    play(state, "T W")
    assert state.events == [{"event": "choose", "seat": 0}, {"event": "choose", "seat": 1}]
    play(state, "I")

    assert state.events[-1] == {"event": "reveal", "recipes": ["T", "W", "I"]}


def test_open_recipes_are_seen_at_once():
    state = position("V1", "V2", "V3", open_recipes=True)
    state.events = []

    play(state, "T")

    assert state.observe(1)["recipes"] == ["T", None, None]
    assert state.events == [{"event": "choose", "seat": 0, "recipe": "T"}]


@pytest.mark.parametrize("seats", GAME.seats)
def test_events_never_name_a_card_that_is_not_played(seats):
    state = GAME.start(seats, SeededChance(5))
    state.events = []
    rng = Random(5)
    while state.to_act is not None:
        held = {text for seat in range(seats) for text in texts(state.hand(seat))}
        del state.events[:]
        action = state.sample(rng)
        played = state.notation(action)
        on_table = {played, *texts(state.pot)}
        state.apply(action)
        told = json.dumps(state.events)
        for text in held - on_table:
            assert f'"{text}"' not in told


@pytest.mark.parametrize("seats", GAME.seats)
def test_views_ignore_hidden_cards_and_recipes_dealt_anew(seats):
    rng = Random(1)
    for steps in (0, 1, seats, 3 * seats, 8 * seats, 14 * seats):
        state = later(seats, steps, steps)
        for seat in range(seats):
            twin = state.hidden_twin(seat, rng)

            twin.audit()
            assert twin.observe(seat) == state.observe(seat)


# What is known


def test_the_onlooker_sees_all_hands_the_secret_recipes_and_the_cards_set_aside():
    state = position("V1 V2", "I10 F3")
    play(state, "T")

    view = state.observe(None)

    assert view["hands"] == [["V1", "V2"], ["I10", "F3"]]
    assert len(view["aside"]) == 48
    assert view["recipes"] == ["T", None]


def test_a_seat_that_does_not_follow_is_known_to_lack_the_suit():
    state = position("V2 I1", "I2 T1", "F1 T2", "V1 I3", recipes="VWIT")

    play(state, "V2 I2 T2")

    assert state.observe(0)["voids"] == ["", "V", "V", ""]


def test_after_trash_not_following_says_nothing():
    state = position("V2 I1", "T1 I2", "I5 F1", recipes="VWI")

    play(state, "V2 T1 I5")

    assert state.observe(0)["voids"] == ["", "V", ""]


def test_known_lacks_and_piles_are_forgotten_with_the_deal():
    state = position("V2", "I2 T1", "V5 I3", recipes="VWI")

    play(state, "V2 I2 V5")

    assert state.observe(0)["voids"] == ["", "", ""]
    assert state.observe(0)["piles"] == [[], [], []]
    assert state.observe(0)["served"] == [[["V", 0], ["W", 5], ["I", 0]]]


def test_piles_are_remembered_card_by_card():
    state = position("V5 V5 I1", "V4 I2", recipes="VW")

    play(state, "V5 V4 V5")

    assert state.observe(1)["piles"] == [["V5", "V4", "V5"], []]


def test_the_pot_is_shown_with_its_leader_total_and_demand():
    state = position("V5 V5 I1", "V4 I2", recipes="VW")

    play(state, "V5 V4")

    view = state.observe(1)
    assert (view["pot"], view["leader"]) == (["V5", "V4"], 0)
    assert (view["total"], view["demand"]) == (9, "V")


@pytest.mark.parametrize("seats", GAME.seats)
def test_views_stay_under_two_kilobytes(seats):
    longest = max(len(json.dumps(later(seats, 3, steps).observe(0))) for steps in range(0, 300, 20))

    assert longest < 2048


# Guesses


def test_a_guess_keeps_suits_from_seats_that_lack_them():
    state = later(4, 8, 40)
    assert any(state.voids)

    for seed in range(50):
        guess = GAME.determinize(state.observe(0), Random(seed))
        guess.audit()  # holds that nobody has a suit they are known to lack


def test_guesses_of_a_hand_differ():
    state = later(3, 8, 12)

    hands = {tuple(GAME.determinize(state.observe(0), Random(s)).hand(1)) for s in range(20)}

    assert len(hands) > 15


def test_guesses_of_secret_recipes_cover_all_that_are_unused():
    state = position("V1", "V2", "V3")
    state.unused[0] &= ~1
    play(state, "T W")

    drawn = {GAME.determinize(state.observe(2), Random(s)).chosen[0] for s in range(100)}

    assert drawn == {1, 2, 3, 4}


def test_a_guess_does_not_share_the_future_luck_of_the_play():
    state = position("V1", "V2 I3", recipes="VW")
    futures = set()
    for seed in range(5):
        guess = GAME.determinize(state.observe(0), Random(seed))
        play(guess, "V1")
        guess.apply(guess.legal()[0])
        futures.add(tuple(guess.hand(0)))

    assert len(futures) == 5


def test_a_tight_deal_is_found_when_cards_must_make_room_for_each_other():
    # Only the third holder may have V, only the second and third may have I.
    hidden = cards("V1 V1 V2 I1 I2 F1 F2 F3 T1")
    rooms, voids = [3, 3, 3], [0b0011, 0b0010, 0]

    for seed in range(200):
        held = deal_unseen(hidden.copy(), rooms, voids, Random(seed))

        assert [len(hand) for hand in held] == rooms
        assert sorted(card for hand in held for card in hand) == sorted(hidden)
        for hand, void in zip(held, voids, strict=True):
            assert not any(void >> (card >> 3) & 1 for card in hand)


def test_cards_move_over_when_those_who_may_hold_a_suit_are_full():
    # Each suit fits two of three holders: T on both places of the third leaves I one short.
    hidden = cards("F1 F2 T1 T2 I1 I2")
    rooms, voids = [2, 2, 2], [0b1000, 0b0001, 0b0100]

    for seed in range(200):
        held = deal_unseen(hidden.copy(), rooms, voids, Random(seed))

        assert [len(hand) for hand in held] == rooms
        assert sorted(card for hand in held for card in hand) == sorted(hidden)
        for hand, void in zip(held, voids, strict=True):
            assert not any(void >> (card >> 3) & 1 for card in hand)


def test_a_guess_deals_each_possible_hand_about_equally_often():
    # One V among four hidden cards, and the first holder lacks V: three of six pairs remain.
    counts: dict[tuple[int, ...], int] = {}
    for seed in range(3000):
        held = deal_unseen(cards("V1 I1 F1 T1"), [2, 2], [0b0010, 0], Random(seed))
        counts[tuple(sorted(held[0]))] = counts.get(tuple(sorted(held[0])), 0) + 1

    assert len(counts) == 3
    assert all(900 < count < 1100 for count in counts.values())


# Words


def test_the_text_names_pot_points_recipes_and_the_own_hand():
    state = position("V5 V3 I1", "V4 I2", recipes="VW")
    play(state, "V5 V4")

    told = GAME.text(state.observe(0), seat_names(state.seats))

    assert "Pot: vegetable 5, vegetable 4 (total 9, vegetable demanded, led by Seat 1)" in told
    assert "Seat 2: 5 points, recipe water, 1 card, pile 0" in told
    assert "Your hand (Seat 1): insects 1; vegetables 3" in told
