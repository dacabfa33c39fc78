"""One test per secret, and what a view must tell."""

import json
from random import Random

import pytest

from engine.chance import RandomChance, SeededChance
from engine.frames import seat_names
from engine.games import GAMES
from engine.games.ramen_ramen.cards import CARD_NAMES

GAME = GAMES["ramen_ramen"]


def after(seats, decisions, seed=3):
    rng = Random(seed)
    state = GAME.start(seats, SeededChance(seed))
    for _ in range(decisions):
        state.apply(state.sample(rng))
    return state


def named(state, card):
    """Whether a seat's view mentions the card anywhere."""
    return [f'"{CARD_NAMES[card]}"' in json.dumps(state.observe(s)) for s in range(state.seats)]


def test_only_its_holder_sees_a_dealt_card():
    state = GAME.start(4, SeededChance(3))

    for seat, hand in enumerate(state.hands):
        for card in hand:
            assert named(state, card) == [other == seat for other in range(4)]


def test_partners_do_not_see_each_others_hands():
    state = GAME.start(4, SeededChance(3))

    assert state.observe(0)["hands"][2] == ["?", "?", "?", "?"]


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_no_seat_sees_the_deck(seats):
    state = after(seats, 9)

    assert not any(any(named(state, card)) for card in state.deck)


def test_the_solo_player_never_sees_the_cards_set_aside():
    state = after(1, 53)

    assert state.to_act is None
    assert not any(named(state, card)[0] for card in state.aside)
    assert len(state.observe(None)["aside"]) == 4


def test_a_card_taken_from_the_fridge_stays_known_until_it_is_played(table, play):
    state = table(
        2,
        hands=["nori3 negi0 menma1 chashu1", "nori4 negi1 menma2 chashu2"],
        fridge="ajitama0 ajitama1 nori7 nori6",
    )
    play(state, "nori3>A negi0>B")
    play(state, "nori7")

    hand = state.observe(1)["hands"][0]

    assert hand == ["nori7", "?", "?", "?"]
    assert state.observe(1)["known"] == state.observe(0)["known"] == [["nori7"], []]

    play(state, "nori4>A negi1>C")
    play(state, "nori6")
    play(state, "menma1>A nori7>C")

    assert state.observe(1)["hands"][0] == ["?", "?"]


def test_an_event_never_names_a_drawn_card():
    state = GAME.start(2, SeededChance(3))
    rng = Random(3)
    for _ in range(20):
        state.events = []
        hidden = {*state.deck}.union(*state.hands)
        fridge = set(state.fridge)
        state.apply(state.sample(rng))
        still_hidden = (hidden & {*state.deck}.union(*state.hands)) - set(state.fridge) - fridge
        told = json.dumps(state.events)
        assert not any(f'"{CARD_NAMES[card]}"' in told for card in still_hidden)


def test_the_omniscient_view_names_every_card():
    state = after(3, 20)

    told = json.dumps(state.observe(None))

    assert all(f'"{name}"' in told for name in CARD_NAMES)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_a_view_stays_under_two_kilobytes(seats):
    sizes = [len(json.dumps(after(seats, decisions).observe(0))) for decisions in range(0, 50, 7)]

    assert max(sizes) < 2048


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_guessed_states_differ_in_what_is_hidden_and_can_be_played_on(seats):
    view = after(seats, 12).observe(seats - 1)
    rng = Random(1)

    guesses = [GAME.determinize(view, rng) for _ in range(5)]

    assert len({tuple(guess.deck) for guess in guesses}) == 5
    for guess in guesses:
        assert guess.observe(seats - 1) == view
        while guess.to_act is not None:
            guess.apply(guess.sample(rng))
            guess.audit()


def test_a_guess_keeps_what_others_know_of_ones_own_hand(table, play):
    state = table(2, hands=["nori3 negi0 menma1 chashu1"], fridge="ajitama0 ajitama1 nori7 nori6")
    play(state, "nori3>A negi0>B")
    play(state, "nori7")

    guess = GAME.determinize(state.observe(0), Random(1))

    assert guess.observe(1)["hands"][0] == ["nori7", "?", "?", "?"]


def test_an_unseen_card_is_guessed_in_every_hidden_place():
    state = GAME.start(2, RandomChance(Random(4)))
    view = state.observe(0)
    rng = Random(1)

    found = {
        "hand" if card in guess.hands[1] else "deck"
        for guess in (GAME.determinize(view, rng) for _ in range(100))
        for card in [state.hands[1][0]]
    }

    assert found == {"hand", "deck"}


def test_the_second_take_of_the_variant_is_told_apart_in_the_view(table, play):
    state = table(2, deck=0, empty_deck="second_fridge_card")
    state.apply(state.legal()[0])
    state.apply(state.legal()[0])

    guess = GAME.determinize(state.observe(0), Random(1))

    assert guess.kind == state.kind == "take2"


def test_the_text_tells_bowls_fridge_hands_and_scores(table, play):
    state = table(
        4,
        hands=["nori3 negi0 menma1 chashu1"],
        bowls=("nori1 negi2", "nori7", ""),
        fridge="ajitama0 ajitama1 nori4 nori6",
    )
    play(state, "nori3>A negi0>B")
    play(state, "nori4")

    lines = GAME.text(state.observe(1), seat_names(state.seats)).splitlines()

    assert lines[0] == "Ramen! Ramen! Seat 2 plays into the bowls."
    assert "Bowl A: nori1 negi2 nori3 (sum 6, 2 types, worth 1), communal" in lines
    assert "Bowl B: nori7 negi0 (sum 7, 2 types, worth 1), for Team A" in lines
    assert "Bowl C: empty, for Team B" in lines
    assert "Seat 1: nori4 ? ? ?" in lines
    assert "Team A: 0 points, 0 bowls, 0 cards" in lines
