"""The rules, one sentence at a time; the numbered vectors are printed examples or worked out."""

from random import Random

import pytest

from engine.chance import RandomChance, SeededChance
from engine.errors import BadSetup, IllegalAction, UnreadableAction
from engine.games import GAMES
from engine.games.ramen_ramen.cards import CARD_NAMES
from engine.games.ramen_ramen.scoring import result, stars

GAME = GAMES["ramen_ramen"]


def packet(side, size):
    return side, 0, tuple(range(size))


def run_down(state):
    """Hand and fridge sizes after each turn, the first legal action being played throughout."""
    sizes = []
    while state.to_act is not None:
        seat = state.to_act
        state.apply(state.legal()[0])
        while state.to_act == seat and state.kind != "play":
            state.apply(state.legal()[0])
        sizes.append((len(state.hands[seat]), len(state.fridge)))
    return sizes


@pytest.mark.parametrize(
    ("bowl", "last", "points"),
    [
        ("nori1 nori4 chashu3 shiitake0", "negi6", 3),
        ("nori0 chashu0 shiitake0 ajitama2 kamaboko5", "menma7", 7),
        ("nori0 chashu0 shiitake0 ajitama0 kamaboko2 menma3", "negi0", 10),
        ("nori7 nori6", "nori1", 0),
    ],
)
@pytest.mark.parametrize("name", ["A", "B"])
def test_the_printed_bowls_are_served_for_their_points(table, play, name, bowl, last, points):
    bowls = (bowl, "", "") if name == "A" else ("", bowl, "")
    state = table(2, hands=[f"{last} menma1 chashu1 negi1"], bowls=bowls)

    play(state, f"{last}>A menma1>B" if name == "A" else f"menma1>A {last}>B")

    assert state.bowls["AB".index(name)] == []
    assert state.points == [points, 0]
    assert [side for side, _, _ in state.served] == [0]


def test_a_bowl_of_thirteen_is_not_served(table, play):
    state = table(2, hands=["chashu6 menma1 negi1 nori1"], bowls=("nori7", "", ""))

    play(state, "chashu6>A menma1>B")

    assert state.sums == [13, 1, 0]
    assert state.served == []


def test_two_bowls_can_be_served_in_one_turn(table, play):
    five_types = "ajitama0 chashu4 kamaboko4 menma3 negi1"
    three_types = "ajitama3 chashu2 kamaboko3 ajitama1"
    state = table(2, hands=["nori2 ajitama5 negi7 menma7"], bowls=(five_types, three_types, ""))

    events = play(state, "nori2>A ajitama5>B")

    assert state.points == [9, 0]
    assert [(e["bowl"], e["points"]) for e in events if e["event"] == "serve"] == [
        ("A", 7),
        ("B", 2),
    ]


def test_both_cards_are_placed_before_anything_is_served(table, play):
    state = table(2, hands=["nori7 menma7 negi1 chashu1"], bowls=("negi7", "chashu7", ""))

    events = play(state, "nori7>A menma7>B")

    assert [e["event"] for e in events] == ["play", "serve", "serve"]


def test_with_three_seats_a_bowl_goes_to_its_owner_whoever_fills_it(table, play):
    state = table(3, hands=["nori7 menma1 negi1 chashu1"], bowls=("", "", "negi6 chashu2"))

    play(state, "menma1>A nori7>C")

    assert state.points == [0, 0, 2]


@pytest.mark.parametrize(("bowl", "points"), [("A", [0, 1]), ("B", [1, 0]), ("C", [0, 1])])
def test_with_four_seats_two_bowls_have_a_team_and_one_goes_to_the_team_that_fills_it(
    table, play, bowl, points
):
    fill = ["negi7" if name == bowl else "" for name in "ABC"]
    other = "A" if bowl != "A" else "B"
    state = table(
        4, hands=["", "nori7 menma1 negi1 chashu1"], bowls=fill, fridge="menma7", to_act=1
    )

    play(state, " ".join(sorted([f"nori7>{bowl}", f"menma1>{other}"], key=lambda p: p[-1])))

    assert state.points == points


def test_with_two_seats_a_bowl_goes_to_the_seat_that_fills_it(table, play):
    state = table(
        2,
        hands=["negi2 menma2 negi3 chashu3", "nori7 menma1 negi1 chashu1"],
        bowls=("negi7", "", ""),
        to_act=1,
    )

    play(state, "nori7>A menma1>B")

    assert state.points == [0, 1]


@pytest.mark.parametrize(
    ("one", "two", "places", "reason"),
    [
        ((20, 5, 21), (20, 4, 15), (1, 2), "level on points, more bowls served"),
        ((20, 5, 20), (20, 5, 21), (1, 2), "level on points and bowls, fewer cards used"),
        ((20, 5, 20), (20, 5, 20), (1, 1), "level in everything, a shared victory"),
        ((19, 9, 1), (20, 4, 30), (2, 1), "most points"),
    ],
)
def test_ties_are_broken_by_bowls_then_by_cards(one, two, places, reason):
    served = []
    for side, (_, bowls, cards) in enumerate((one, two)):
        served += [packet(side, 1)] * (bowls - 1) + [packet(side, cards - bowls + 1)]

    told = result((0, 1), [one[0], two[0]], served)

    assert (told.places, told.reason) == (places, reason)


def test_four_seats_are_ranked_by_team_and_partners_share_everything():
    told = result((0, 1, 0, 1), [12, 30], [packet(0, 4), packet(1, 5)])

    assert told.places == (3, 1, 3, 1)
    assert told.points == (12, 30, 12, 30)


def test_two_seats_run_down_without_one_card_turns(table):
    state = table(2, deck=0)

    assert run_down(state) == [(3, 3), (3, 2), (2, 1), (2, 0), (0, 0), (0, 0)]


def test_solo_runs_down_with_two_one_card_turns(table):
    state = table(1, deck=0)

    assert run_down(state) == [(3, 3), (2, 2), (1, 1), (1, 0), (0, 0)]


@pytest.mark.parametrize(
    ("seats", "turns", "decisions", "one_card_turns"),
    [(1, [27], 53, 2), (2, [14, 14], 54, 0), (3, [10, 10, 9], 53, 2), (4, [8, 8, 7, 7], 52, 4)],
)
def test_a_play_has_its_fixed_length(seats, turns, decisions, one_card_turns):
    rng = Random(seats)
    state = GAME.start(seats, RandomChance(rng))
    asked, plays, small = 0, [0] * seats, 0

    while state.to_act is not None:
        asked += 1
        if state.kind == "play":
            plays[state.to_act] += 1
            small += len(state.hands[state.to_act]) == 1
        state.apply(state.sample(rng))

    assert (plays, asked, small) == (turns, decisions, one_card_turns)


@pytest.mark.parametrize("seats", [1, 2, 3, 4])
def test_with_the_variant_no_turn_has_one_card(seats):
    rng = Random(seats)
    state = GAME.start(seats, RandomChance(rng), {"empty_deck": "second_fridge_card"})
    kinds = set()

    while state.to_act is not None:
        kinds.add(state.kind)
        assert state.kind != "play" or len(state.hands[state.to_act]) >= 2
        state.apply(state.sample(rng))

    assert kinds == {"play", "take", "take2"}


@pytest.mark.parametrize(
    ("seats", "deck", "aside"), [(1, 44, 4), (2, 44, 0), (3, 40, 0), (4, 36, 0)]
)
def test_the_deal_leaves_the_printed_deck(seats, deck, aside):
    state = GAME.start(seats, SeededChance(1))

    assert (len(state.deck), len(state.aside), len(state.fridge)) == (deck, aside, 4)
    assert [len(hand) for hand in state.hands] == [4] * seats
    assert state.to_act == 0


def test_cards_are_dealt_from_the_top_of_the_shuffled_deck():
    order = SeededChance(9).shuffle("deck", 56)

    state = GAME.start(1, SeededChance(9))

    assert state.aside == order[:4]
    assert state.hands[0] == sorted(order[4:8])
    assert state.fridge == order[8:12]
    assert state.deck[::-1] == order[12:]


def test_the_fridge_is_refilled_in_place_before_the_draw(table, play):
    state = table(
        2, hands=["nori3 negi0 menma1 chashu1"], fridge="ajitama0 ajitama1 ajitama2 nori7"
    )
    refill, draw = state.deck[-1], state.deck[-2]
    play(state, "nori3>A negi0>C")

    events = play(state, "ajitama1")

    assert state.fridge[1] == refill
    assert draw in state.hands[0]
    assert state.to_act == 1
    assert events == [
        {"event": "take", "seat": 0, "card": "ajitama1"},
        {"event": "refill", "card": CARD_NAMES[refill]},
        {"event": "draw", "seat": 0},
    ]


def test_with_an_empty_deck_nothing_is_refilled_or_drawn(table, play):
    state = table(2, deck=0, fridge="ajitama0 ajitama1")
    state.apply(state.legal()[0])

    events = play(state, "ajitama0")

    assert events == [{"event": "take", "seat": 0, "card": "ajitama0"}]
    assert len(state.hands[0]) == 3


@pytest.mark.parametrize(("size", "choices"), [(4, 36), (3, 18), (2, 6), (1, 3)])
def test_a_hand_has_as_many_plays_as_pairs_times_six(table, size, choices):
    names = ["ajitama0", "nori3", "negi0", "shiitake7"][:size]
    state = table(2, hands=[" ".join(names)], deck=0, fridge="")

    legal = state.legal()

    assert len(legal) == len(set(legal)) == choices
    assert all(state.is_legal(action) for action in legal)


def test_plays_are_listed_by_cards_in_hand_order_then_by_bowls(table):
    state = table(2, hands=["negi0 nori3 nori5"], deck=0, fridge="")

    texts = [state.notation(action) for action in state.legal()]

    assert texts[:7] == [
        "negi0>A nori3>B",
        "negi0>A nori3>C",
        "negi0>B nori3>C",
        "nori3>A negi0>B",
        "nori3>A negi0>C",
        "nori3>B negi0>C",
        "negi0>A nori5>B",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "nori3>A negi0>A",  # one bowl for both
        "nori3>A nori3>B",  # one card twice
        "nori3>A negi1>B",  # a card not held
        "nori3>A",  # two cards are due
        "nori3",  # taking is not due
    ],
)
def test_a_play_against_the_rules_is_refused_and_changes_nothing(table, text):
    state = table(2, hands=["nori3 negi0 menma1 chashu1"])
    before = state.observe(None)

    with pytest.raises(IllegalAction, match=f"'{text}' is not one of 36 legal actions"):
        state.apply(state.parse(text))

    assert state.observe(None) == before


@pytest.mark.parametrize("action", [(40, 0), (40, 0, 32, 1), 3, None, "nori3", 1.5, []])
def test_only_a_fridge_card_can_be_taken(table, play, action):
    state = table(2, hands=["nori3 negi0 menma1 chashu1"], fridge="ajitama0 ajitama1 nori7 nori6")
    play(state, "nori3>A negi0>C")
    before = state.observe(None)

    with pytest.raises(IllegalAction, match="is not one of 4 legal actions"):
        state.apply(action)

    assert state.observe(None) == before


def test_nothing_can_be_played_when_it_is_over(table, play):
    state = table(2, hands=["nori3", ""], deck=0, fridge="")
    play(state, "nori3>B")

    assert state.to_act is None
    assert list(state.legal()) == []
    with pytest.raises(IllegalAction, match="over"):
        state.apply((0, 0))


def test_a_seat_without_cards_is_passed_over(table, play):
    state = table(3, hands=["nori3", "", "nori5"], deck=0, fridge="")

    play(state, "nori3>B")

    assert state.to_act == 2


def test_an_unserved_bowl_scores_nothing(table, play):
    state = table(1, hands=["nori3"], bowls=("negi0 chashu0 menma0", "", ""), deck=0, fridge="")

    play(state, "nori3>A")

    assert state.result().points == (0,)


def test_the_two_places_can_be_written_in_either_order(table):
    state = table(2, hands=["nori3 negi0 menma1 chashu1"])

    action = state.parse("negi0>C nori3>A")

    assert state.notation(action) == "nori3>A negi0>C"


@pytest.mark.parametrize("text", ["nori8", "nori3>D", "nori3 > A", "Nori3", "nori3>A  negi0>C", ""])
def test_a_text_that_names_no_cards_and_bowls_is_unreadable(table, text):
    with pytest.raises(UnreadableAction):
        table(2).parse(text)


@pytest.mark.parametrize(
    ("points", "rating"),
    [
        (0, "no star"),
        (37, "no star"),
        (38, "1 star"),
        (43, "1 star"),
        (44, "2 stars"),
        (48, "2½ stars"),
        (53, "3 stars"),
        (55, "3 stars"),
        (56, "3½ stars"),
        (58, "4 stars"),
        (60, "4½ stars"),
        (61, "4½ stars"),
        (62, "5 stars"),
    ],
)
def test_solo_scores_earn_their_stars(points, rating):
    assert stars(points) == rating
    assert GAME.rating_note(points, 1) == rating
    assert GAME.rating_note(points, 2) == ""


@pytest.mark.parametrize("options", [{"empty_deck": "both"}, {"view": "strict"}])
def test_an_unknown_option_is_refused(options):
    with pytest.raises(BadSetup):
        GAME.start(2, SeededChance(1), options)


def test_the_example_turn_of_the_rules_page_goes_as_told(table, play):
    state = table(
        2,
        hands=["chashu4 menma2 negi0 nori3"],
        bowls=("ajitama5 kamaboko4 shiitake2", "nori6", ""),
        fridge="menma1 ajitama1 nori7 nori5",
    )

    play(state, "nori3>A negi0>B")
    play(state, "menma1")

    assert state.points == [3, 0]
    assert state.sums == [0, 6, 0]
    assert state.to_act == 1
