"""What a seat may see, secret by secret."""

import json
from itertools import pairwise
from random import Random

from engine.chance import SeededChance
from engine.frames import seat_names
from engine.games import GAMES
from engine.games.safranito.board import SPICES
from engine.games.safranito.physics import SLOWING

from .conftest import do, end_throws, give, lay

GAME = GAMES["safranito"]


def values(view):
    return [disc["value"] for disc in view["discs"]]


def test_a_face_down_token_shows_its_value_to_its_owner_only():
    state = lay(2, discs=[(0, 50, "mint"), (1, 20, "mint")])

    assert values(state.observe(0)) == [50, None]
    assert values(state.observe(1)) == [None, 20]
    assert values(state.observe(None)) == [50, 20]


def test_tokens_of_an_opened_bowl_are_seen_by_all_and_remembered_in_hand():
    discs = [(0, 50, "mint"), (1, 20, "mint"), (1, 40, "cumin")]
    state = end_throws(lay(2, discs=discs, display="mint"))

    do(state, "bowl mint")
    assert values(state.observe(0)) == [50, 20, None]
    do(state, "no", "no")

    assert state.observe(0)["back"] == [[50], [20]]


def test_a_throw_tells_no_one_the_value_of_its_token():
    state = GAME.start(2, SeededChance(4))

    events = do(state, "t60 u0 >200,200 r180")

    assert "60" not in json.dumps([{**event, "path": None} for event in events])
    assert "value" not in events[0]


def test_hands_and_tokens_of_others_are_absent():
    state = lay(3, hands=("mint", "cumin", "curry"))
    give(state, 1, "saffron", openly=False)

    view = state.observe(0)

    assert "saffron" not in json.dumps({**view, "display": None, "dishes": None})
    assert view["secret"] == [0, 1, 0]
    assert view["known"] == [{"mint": 1}, {"cumin": 1}, {"curry": 1}]
    assert view["own"]["hand"] == {"mint": 1}
    assert view["own"]["tokens"] == [10, 20, 30, 40, 50, 60]


def test_cards_looked_at_are_seen_by_the_looker_only():
    state = end_throws(lay(2, chef=0, discs=[(0, 30, "extra spice")]))
    do(state, "use")

    assert state.observe(0)["own"]["looked"] == [SPICES[spice] for spice in state.looked]
    assert state.observe(1)["own"]["looked"] == []
    assert state.observe(1)["looked"] == 3


def test_cards_put_under_the_pile_are_known_to_the_one_who_put_them_there():
    state = end_throws(lay(2, chef=0, discs=[(0, 30, "extra spice"), (1, 10, "mint")]))
    do(state, "use")
    kept, *under = (SPICES[spice] for spice in state.looked)
    do(state, f"keep {kept}")

    size = len(state.draw)
    assert state.observe(0)["under"] == [[size - 2, under[0]], [size - 1, under[1]]]
    assert state.observe(1)["under"] == []
    for seed in range(5):
        guess = GAME.determinize(state.observe(0), Random(seed))
        assert [card & 15 for card in guess.draw[:2]] == [card & 15 for card in state.draw[:2]]


def test_the_kept_card_is_secret_until_it_is_spent():
    state = lay(2, chef=0, discs=[(1, 30, "mint")], hands=("mint", ""))
    give(state, 0, "mint", openly=False)
    end_throws(state)
    assert state.observe(1)["secret"] == [1, 0]

    do(state, "bowl mint", "sell 2")

    assert state.observe(1)["secret"] == [0, 0]
    assert state.observe(1)["known"] == [{}, {}]


def test_selling_an_open_card_keeps_the_secret_one_secret():
    state = lay(2, chef=0, discs=[(1, 30, "mint")], hands=("mint", ""))
    give(state, 0, "cumin", openly=False)
    end_throws(state)

    do(state, "bowl mint", "sell 1")

    assert state.observe(1)["secret"] == [1, 0]


def test_reserved_dishes_are_counted_for_all_and_named_for_their_owner():
    state = end_throws(lay(2, discs=[(1, 10, "reserve"), (0, 60, "mint")]))
    do(state, "use")

    assert state.observe(0)["reserved"] == [0, 1]
    assert len(state.observe(1)["own"]["reserved"]) == 1
    assert "own" in state.observe(0) and state.observe(0)["own"]["reserved"] == []


def test_the_order_of_the_piles_is_in_no_seats_view():
    state = GAME.start(2, SeededChance(4))
    before = [state.observe(seat) for seat in (0, 1)]

    state.draw.reverse()
    state.dish_pile.reverse()

    assert [state.observe(seat) for seat in (0, 1)] == before


def test_guesses_differ_in_what_is_hidden_and_respect_what_came_back():
    discs = [(1, 20, "mint"), (1, 40, "cumin"), (1, 50, "curry")]
    state = end_throws(lay(2, chef=0, discs=discs))
    do(state, "bowl mint")
    view = state.observe(0)

    guesses = [GAME.determinize(view, Random(seed)) for seed in range(60)]

    found = {tuple(guess.values) for guess in guesses}
    assert len(found) > 10
    assert all(20 not in pair and pair[0] != pair[1] for pair in found)


def test_an_asked_seller_holds_the_spice_in_every_guess():
    state = lay(2, chef=0, discs=[(1, 30, "mint")])
    give(state, 0, "mint", openly=False)
    end_throws(state)
    do(state, "bowl mint")

    for seed in range(20):
        assert GAME.determinize(state.observe(1), Random(seed)).hands[0][SPICES.index("mint")] == 1


def test_views_stay_small():
    state = GAME.start(4, SeededChance(2))
    rng = Random(1)
    for _ in range(200):
        assert len(json.dumps(state.observe(0))) < 2600
        state.apply(rng.choice(state.suggestions()))


def test_a_told_path_can_be_followed_by_even_slowing_alone():
    state = GAME.start(2, SeededChance(4))
    rng = Random(2)
    for _ in range(60):
        lying = list(zip(state.xs, state.ys, strict=True))
        if state.kind != "throw":
            state.apply(rng.choice(state.legal()))
            continue
        events = do(state, state.notation(rng.choice(state.suggestions())))
        for event in (event for event in events if event["event"] == "slide"):
            path = event["path"]
            assert [corner[0] for corner in path] == sorted(corner[0] for corner in path)
            if event["disc"] < len(lying):
                x, y = lying[event["disc"]]
                assert abs(path[0][1] - x) < 2.1 and abs(path[0][2] - y) < 2.1
            for (t, x, y), (t2, x2, y2) in pairwise(path):
                seconds = (t2 - t) / 1000
                way = ((x2 - x) ** 2 + (y2 - y) ** 2) ** 0.5
                assert way + 2.5 >= SLOWING * seconds * seconds / 2 or way < 0.5


def test_the_text_of_a_view_tells_the_board_and_hides_what_the_view_hides():
    state = lay(2, chef=0, discs=[(0, 50, "mint"), (1, 20, "mint")], display="mint mint")

    text = GAME.text(state.observe(0), seat_names(state.seats))

    assert "On mint: Seat 1 50, Seat 2 ?" in text
    assert "Display: mint 2" in text
    assert "Round 1, throws; chef: Seat 1; Seat 2 throws" in text
