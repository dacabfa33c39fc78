"""The printed examples and the edge cases of the rules, played through actions."""

import json
from random import Random

import pytest

from engine.chance import RandomChance, SeededChance
from engine.errors import BadReplay, IllegalAction, UnreadableAction
from engine.games import GAMES
from engine.games.safranito.actions import DISH_NAMES, DISHES
from engine.games.safranito.board import SPICES
from engine.games.safranito.phases import LAST_ROUND
from engine.match import Answer, play
from engine.replay import from_json, verify

from .conftest import do, end_throws, give, lay

GAME = GAMES["safranito"]
SAFFRON, CHILLI = SPICES.index("saffron"), SPICES.index("chilli")
BLUE, RED, GREEN, ORANGE = range(4)


def kinds(events):
    return [event["event"] for event in events]


def test_each_spice_is_in_six_dishes_and_each_pair_in_one_or_two():
    pairs = [sum(a in dish and b in dish for dish in DISHES) for a in range(9) for b in range(a)]

    assert [sum(spice in dish for dish in DISHES) for spice in range(9)] == [6] * 9
    assert set(pairs) == {1, 2}
    assert len(set(DISHES)) == 18


@pytest.mark.parametrize(
    ("seats", "dishes", "spices", "throws"), [(2, 2, 4, 4), (3, 2, 5, 4), (4, 3, 6, 3)]
)
def test_the_table_is_laid_by_the_number_of_players(seats, dishes, spices, throws):
    state = GAME.start(seats, SeededChance(1), {"skill": 0})

    assert len(state.face_up) == dishes
    assert sum(state.display) == spices
    assert state.money == [200] * seats
    chef, order = state.chef, []
    while state.round == 1:
        order.append(state.to_act)
        state.apply(state.autopilot())  # lands nowhere, so nothing follows but the next round
    assert order == [(chef + i) % seats for i in range(seats * throws)]


# Saffron bowl of the printed example


def saffron_bowl(green):
    """Blue is chef; Orange 30+20, Green 20 or 10, and Red 50; two saffron cards are on sale."""
    discs = [(ORANGE, 30, "saffron"), (ORANGE, 20, "saffron")]
    discs += [(GREEN, green, "saffron"), (RED, 50, "saffron")]
    state = lay(
        4,
        chef=BLUE,
        discs=discs,
        display="saffron saffron",
        hands=("saffron saffron", "saffron", "", ""),
    )
    end_throws(state)
    return state


def test_sellers_earn_the_whole_price_and_take_their_tokens_back():
    state = saffron_bowl(20)

    do(state, "bowl saffron")
    assert (state.to_act, state.kind, state.price) == (BLUE, "sell", 120)
    do(state, "sell 2", "sell 1")

    assert state.money == [440, 320, 200, 200]
    assert RED not in state.owners
    assert (state.to_act, state.kind) == (ORANGE, "buy")


def test_a_buyer_takes_back_the_highest_token_and_a_tie_goes_clockwise_from_the_chef():
    state = saffron_bowl(20)
    do(state, "bowl saffron", "sell 2", "sell 1", "buy")

    assert state.money[ORANGE] == 150
    assert sorted(zip(state.owners, state.values, strict=True)) == [(GREEN, 20), (ORANGE, 20)]
    assert (state.to_act, state.kind) == (GREEN, "buy")

    do(state, "buy")
    assert state.money[GREEN] == 180
    assert state.hands[ORANGE][SAFFRON] == state.hands[GREEN][SAFFRON] == 1
    assert not state.xs
    state.audit()


def test_one_player_buys_twice_with_a_falling_sum():
    state = saffron_bowl(10)
    do(state, "bowl saffron")
    assert state.price == 110

    do(state, "sell 2", "sell 1", "buy")
    assert (state.to_act, state.kind) == (ORANGE, "buy")
    do(state, "buy")

    assert state.money[ORANGE] == 200 - 50 - 20
    assert state.hands[ORANGE][SAFFRON] == 2


def test_the_chef_wins_ties_unless_the_option_puts_the_chef_last():
    discs = [(BLUE, 40, "chef"), (RED, 40, "chef"), (ORANGE, 40, "chef")]

    first = end_throws(lay(4, chef=BLUE, discs=discs))
    last = end_throws(lay(4, chef=BLUE, discs=discs, ties="chef_last"))

    assert (first.to_act, last.to_act) == (BLUE, RED)


def test_a_tie_on_an_action_space_goes_to_the_one_directly_left_of_the_chef():
    discs = [(RED, 40, "extra throw"), (ORANGE, 40, "extra throw")]

    state = end_throws(lay(4, chef=BLUE, discs=discs))

    assert (state.to_act, state.kind, state.space) == (RED, "action", 0)


# Action spaces


def test_extra_spice_draws_one_card_per_ten_of_the_highest_token_and_keeps_one():
    state = end_throws(lay(2, chef=0, discs=[(0, 50, "extra spice")]))
    drawn = [card & 15 for card in state.draw[-5:]][::-1]
    size = len(state.draw)

    events = do(state, "use")
    assert state.looked == drawn
    assert {"event": "look", "seat": 0, "cards": 5} in events
    do(state, f"keep {SPICES[drawn[2]]}")

    rest = drawn.copy()
    rest.remove(drawn[2])
    assert [card & 15 for card in state.draw[:4]] == rest[::-1]
    assert len(state.draw) in (size - 1, size - 1 - 4)  # the next round may be laid already
    assert state.hands[0][drawn[2]] == 1
    assert state.known[0] == [0] * 9


def test_the_sum_wins_extra_spice_but_the_highest_token_counts_the_cards():
    discs = [(0, 10, "extra spice"), (0, 30, "extra spice"), (1, 30, "extra spice")]
    state = end_throws(lay(2, chef=1, discs=discs))

    assert state.to_act == 0
    do(state, "use")
    assert len(state.looked) == 3


def test_extra_spice_gives_nothing_when_no_card_is_left():
    state = lay(2, chef=0, discs=[(0, 50, "extra spice")])
    end_throws(state)
    state.display = [state.display[s] + state.draw.count(s) for s in range(9)]
    state.draw = []

    do(state, "use")

    assert state.hands == [[0] * 9] * 2
    assert state.kind != "keep"


def test_reserve_takes_the_top_dish_and_nothing_from_an_empty_pile():
    state = end_throws(lay(2, discs=[(1, 10, "reserve")]))
    top = state.dish_pile[-1]
    do(state, "use")
    assert state.reserved[1] == [top]

    state = end_throws(lay(2, discs=[(1, 10, "reserve")]))
    state.face_up += state.dish_pile
    state.dish_pile = []
    do(state, "use")
    assert state.reserved[1] == []
    state.audit()


def test_an_action_may_be_declined_and_its_tokens_return():
    state = end_throws(lay(2, chef=0, discs=[(1, 20, "chef"), (0, 60, "mint")]))

    do(state, "decline")

    assert state.chef == 0
    assert state.back == [0, 2]
    assert state.owners == [0]


def test_the_new_chef_leads_market_and_cooking_and_the_next_round_goes_on_from_there():
    discs = [(0, 60, "chef"), (1, 60, "mint"), (3, 60, "cumin")]
    state = end_throws(lay(4, chef=2, discs=discs))

    do(state, "use")
    assert (state.chef, state.to_act, state.kind) == (0, 0, "bowl")
    do(state, "bowl mint", "bowl cumin")

    assert (state.round, state.chef, state.to_act) == (2, 1, 1)


@pytest.mark.parametrize(("seats", "unused"), [(2, 1), (3, 1), (4, 2)])
def test_the_extra_throw_leaves_so_many_tokens_unused(seats, unused):
    state = GAME.start(seats, RandomChance(Random(1)), {"skill": 0})
    winner = state.chef
    state.apply(next(t for t in state.suggestions() if t[2:4] == (140_000, 260_000)))
    while state.kind == "throw":
        state.apply(state.autopilot())
    assert (state.kind, state.space, state.to_act) == ("action", 0, winner)

    do(state, "use")

    assert state.kind == "throw"
    assert len(state.tokens()) == unused + 1


def test_a_token_driven_off_the_extra_throw_space_counts_where_it_lands():
    state = lay(2, chef=1, discs=[(0, 60, "extra throw"), (1, 10, "extra throw"), (1, 50, "mint")])
    state.ys[:2] = [276.0, 236.0]
    end_throws(state)
    assert (state.to_act, state.kind) == (0, "action")

    # Straight north, against the lower token, which drives the upper one off the space.
    do(state, "use", "t20 u-60 >140,260 r240")

    first, second, *_, thrown = state.rest[1]
    assert first > 289 and second < 289 and thrown < 236
    assert state.space != 0
    assert 9 not in state.regions
    assert state.back[1] & 1  # the 10 lay on the space to the end and is back in hand
    state.audit()


# Market


def test_a_sum_above_the_money_is_passed_over_and_both_tokens_return():
    discs = [(0, 60, "mint"), (0, 10, "mint"), (1, 20, "mint")]
    state = end_throws(lay(2, chef=1, discs=discs, display="mint", money=(60, 200)))

    events = do(state, "bowl mint")

    assert "too dear" in kinds(events)
    assert (state.to_act, state.kind) == (1, "buy")
    assert 0 not in state.owners
    assert state.back[0] == 0b100001


def test_who_does_not_buy_is_out_of_the_bowl_unless_the_option_leaves_the_lower_tokens():
    discs = [(0, 40, "mint"), (0, 30, "mint"), (1, 20, "mint")]

    out = end_throws(lay(2, chef=1, discs=discs, display="mint"))
    do(out, "bowl mint", "no")
    stays = end_throws(lay(2, chef=1, discs=discs, display="mint", decline="highest"))
    do(stays, "bowl mint", "no")

    assert (out.to_act, out.kind, out.owners) == (1, "buy", [1])
    assert (stays.to_act, stays.kind, stays.owners) == (0, "buy", [0, 1])


def test_a_bowl_without_cards_is_for_sale_only_and_a_seller_needs_no_token():
    state = end_throws(lay(2, chef=1, discs=[(1, 30, "mint")], hands=("mint mint", "")))

    do(state, "bowl mint")
    assert (state.to_act, state.kind, state.legal()) == (0, "sell", [10, 11, 12])
    do(state, "sell 1")

    assert state.money == [230, 200]
    assert state.round == 2


def test_without_sellers_and_cards_the_tokens_just_return():
    state = end_throws(lay(2, chef=1, discs=[(1, 30, "mint"), (0, 10, "cumin")]))

    events = do(state, "bowl mint")

    assert kinds(events) == ["bowl"]
    assert state.regions == [SPICES.index("cumin")]
    assert state.money == [200, 200]


def test_who_sold_cannot_buy_at_the_same_bowl():
    discs = [(0, 60, "mint"), (1, 10, "mint")]
    state = end_throws(lay(2, chef=0, discs=discs, display="mint", hands=("mint", "")))

    do(state, "bowl mint", "sell 1")

    assert (state.to_act, state.kind) == (1, "buy")


def test_who_keeps_the_cards_may_buy_more():
    discs = [(0, 60, "mint"), (1, 10, "mint")]
    state = end_throws(lay(2, chef=0, discs=discs, display="mint", hands=("mint", "")))

    do(state, "bowl mint", "sell 0")

    assert (state.to_act, state.kind) == (0, "buy")


def test_cards_not_bought_stay_on_display_and_new_ones_join_them():
    state = lay(
        3, chef=0, discs=[(1, 10, "mint"), (2, 20, "cumin")], display="mint cumin curry curry mint"
    )
    end_throws(state)

    do(state, "bowl mint", "buy", "bowl cumin", "buy")

    assert state.round == 2
    assert sum(state.display) == 5 - 2 + 5


def test_an_empty_draw_pile_is_refilled_from_the_discard():
    state = lay(3, chef=0)
    state.discard = [state.draw.pop() for _ in range(6)]
    state.display = [state.display[s] + state.draw[:-2].count(s) for s in range(9)]
    state.draw = state.draw[-2:]
    shown = sum(state.display)

    state.events = []
    end_throws(state)

    assert state.round == 2
    assert sum(state.display) == shown + 5
    assert (len(state.draw), len(state.discard)) == (3, 0)
    assert {"event": "refill", "cards": 6} in state.events


def test_fewer_cards_come_when_both_piles_run_out():
    state = lay(2, chef=0)
    state.display = [state.display[s] + state.draw[:-1].count(s) for s in range(9)]
    state.draw = state.draw[-1:]

    end_throws(state)

    assert sum(state.display) == 54
    assert state.draw == []


# Cooking


def test_cardamom_chilli_and_cumin_cook_their_dish():
    dish = "cardamom+chilli+cumin"
    state = lay(2, hands=("cardamom chilli cumin", ""), dishes=(dish, DISH_NAMES[0]))
    end_throws(state)
    assert [state.notation(action) for action in state.legal()] == ["pass", f"cook {dish}"]

    do(state, f"cook {dish}")

    assert state.cooked[0] == [DISHES.index((2, 3, 6))]
    assert sum(state.hands[0]) == 0
    assert sorted(state.discard) == [2, 3, 6]
    assert state.round == 2
    state.audit()


def ready_to_cook_two(cooked):
    """Seat 0 holds the spices of a face-up dish, of another one, and of a reserved one."""
    names = ("curry+ginger+cardamom", "curry+ginger+garlic", "mint+saffron+cinnamon")
    spices = " ".join(names).replace("+", " ")
    state = lay(2, hands=(spices, ""), dishes=names[:2])
    state.reserved[0] = [DISH_NAMES.index(names[2])]
    state.dish_pile.remove(state.reserved[0][0])
    for _ in range(cooked):
        state.cooked[0].append(state.dish_pile.pop())
    end_throws(state)
    return state, names


def test_only_one_face_up_dish_is_cooked_but_reserved_ones_beside_it():
    state, names = ready_to_cook_two(cooked=0)

    do(state, f"cook {names[0]}")

    assert [state.notation(action) for action in state.legal()] == ["pass", f"cook {names[2]}"]
    with pytest.raises(IllegalAction):
        do(state, f"cook {names[1]}")
    do(state, f"cook {names[2]}")
    assert state.observe(None)["points"] == [2, 0]


def test_two_dishes_in_one_phase_win_from_one_to_three():
    state, names = ready_to_cook_two(cooked=1)

    do(state, f"cook {names[2]}", f"cook {names[0]}")

    assert state.to_act is None
    assert state.result().places == (1, 2)
    assert state.result().points == (3, 0)
    assert state.result().reason == "a third dish is served"


def test_a_cooked_face_up_dish_is_replaced_only_next_round():
    dish = "cardamom+chilli+cumin"
    hands = ("cardamom chilli cumin", "cardamom chilli cumin curry ginger")
    state = lay(2, hands=hands, dishes=(dish, "curry+ginger+cardamom"))
    end_throws(state)

    do(state, f"cook {dish}")
    assert (state.to_act, len(state.face_up)) == (1, 1)
    do(state, "pass")

    assert (state.round, len(state.face_up)) == (2, 2)


def test_the_cap_compares_dishes_then_money_then_cards_then_the_order_of_play():
    def ended(seats, **change):
        state = lay(seats, chef=1)
        state.round = LAST_ROUND
        for _ in range(change.get("dishes", 0)):
            state.cooked[0].append(state.dish_pile.pop())
        state.money[2] += change.get("money", 0)
        if "card" in change:
            give(state, 0, "mint")
        return end_throws(state).result()

    assert ended(3, dishes=1, money=50).places == (1, 3, 2)
    assert ended(3, money=50).places == (3, 2, 1)
    assert ended(3, card=1).places == (1, 2, 3)
    assert ended(3).places == (3, 1, 2)
    assert ended(3).reason == "round 40 is over"


# Throws


def test_a_throw_has_one_text_and_zeros_at_the_end_do_no_harm():
    state = GAME.start(2, SeededChance(1))

    action = state.parse("t30 u-60 >200.0,320.050 r300.500")

    assert action == (30, -60, 200000, 320050, 300500)
    assert state.notation(action) == "t30 u-60 >200,320.05 r300.5"


@pytest.mark.parametrize(
    "text",
    ["t35 u0 >1,1 r1", "t30 u0 >1,1", "t30 u0 >1.0001,1 r9", "t30 u0 >-1,1 r9", "T30 u0 >1,1 r9",
     "t30 u0  >1,1 r9", "t30 u0 >1,1 r٣", "keep salt", "sell 7", "cook 236", "t30 u0 >nan,1 r9"],
)  # fmt: skip
def test_a_text_that_is_no_action_is_unreadable(text):
    with pytest.raises(UnreadableAction):
        GAME.start(2, SeededChance(1)).parse(text)


@pytest.mark.parametrize(
    ("throw", "why"),
    [
        ((10, 0, 200000, 200000, 300000), "no token 10"),
        ((20, 181, 200000, 200000, 300000), "u is 181"),
        ((20, 0, 200000, 19999, 300000), "behind"),
        ((20, 0, 400001, 200000, 300000), "off the board"),
        ((20, 0, 200000, 20000, 300000), "launch point itself"),
        ((20, 0, 200000, 200000, 999), "reach is 0.999"),
        ((20, 0, 200000, 200000, 900001), "reach is 900.001"),
        ((20, 60, 200000, 200000, 300000), "lies on the launch point"),
        ((20,), "only where no launch point is free"),
        ((20, 0.0, 200000, 200000, 300000), "not a throw"),
        ((True, 0, 200000, 200000, 300000), "not a throw"),
        ([20, 0, 200000, 200000, 300000], "not a throw"),
        (10, "not a throw"),
    ],
)
def test_an_illegal_throw_is_refused_with_its_reason(throw, why):
    state = lay(2, chef=1, discs=[(0, 10, "mint")])
    state.xs[0], state.ys[0] = 270.0, 50.0
    before = json.dumps(state.observe(None))

    assert state.to_act == 0
    assert not state.is_legal(throw)
    with pytest.raises(IllegalAction, match=why):
        state.apply(throw)
    assert json.dumps(state.observe(None)) == before


def test_a_launch_point_is_free_exactly_from_a_distance_of_two_radii():
    state = lay(2, chef=1, discs=[(0, 10, "mint")])
    state.xs[0], state.ys[0] = 200.0, 20.0

    assert state.ranges()["u"] == [[-180, -40], [40, 180]]
    assert state.is_legal((20, 40, 200000, 200000, 9000))
    assert not state.is_legal((20, 39, 200000, 200000, 9000))


def test_the_menu_throws_every_token_at_every_region_and_past_every_opposing_disc():
    state = lay(2, chef=1, discs=[(1, 10, "garlic"), (0, 60, "mint")])

    menu = state.suggestions()

    assert len(menu) == 5 * 5 * (9 + 4 + 1)  # tokens 10 to 50, launch points, targets
    assert (10, 0, 200000, 200000, 280000) in menu
    assert (50, 60, 260000, 260000, 240000) in menu
    assert all(state.is_legal(throw) for throw in menu)
    listed = list(menu)
    assert [menu[at] for at in range(-len(menu), len(menu))] == listed * 2
    assert menu[3:9] == listed[3:9]
    for beyond in (len(menu), -len(menu) - 1):
        with pytest.raises(IndexError):
            menu[beyond]


def test_the_menu_falls_back_to_the_first_free_launch_point():
    state = blocked_edge(free_from=174)

    assert {throw[1] for throw in state.suggestions()} == {174}
    assert state.autopilot()[1] == 174
    assert state.is_legal(state.sample(Random(1)))


def blocked_edge(free_from):
    """The south edge is full of discs up to a launch point."""
    state = lay(2, chef=1)
    while 200 + free_from - 40 - 79 * len(state.xs) > 20 - 40:
        state.xs.append(200.0 + free_from - 40 - 79 * len(state.xs))
        state.ys.append(20.0)
        state.owners.append(1)
        state.values.append(60)
        state.shown.append(False)
        state.regions.append(-1)
    return state


def test_a_token_is_lost_when_no_launch_point_is_free():
    state = blocked_edge(free_from=181)

    assert state.ranges() is None
    assert [state.notation(action) for action in state.legal()][:2] == ["t10 lost", "t20 lost"]
    with pytest.raises(IllegalAction, match="lies on"):
        do(state, "t20 u0 >200,200 r9")
    events = do(state, "t20 lost")

    assert events[0] == {"event": "lost", "seat": 0, "why": "no free launch point"}
    assert state.round == 2 or state.out[0] == 2


def test_a_token_that_hops_the_rim_is_out_until_the_round_ends():
    state = GAME.start(2, RandomChance(Random(1)), {"skill": 0})
    seat = state.to_act
    far = 400 if state.side() == "S" else 0

    events = do(state, f"t60 u0 >200,{far} r900")

    assert events[0]["at"] == "out"
    assert state.out[seat] == 32
    assert state.xs == []
    state.audit()
    while state.round == 1:
        state.apply(state.autopilot())
    assert state.out == [0, 0] and state.holding == [63, 63]


def test_tokens_land_face_up_as_often_as_the_option_says():
    hidden = GAME.start(2, SeededChance(3))
    shown = GAME.start(2, SeededChance(3), {"p_flip": 1})
    for state in (hidden, shown):
        for _ in range(4):
            state.apply(state.autopilot())

    assert not any(hidden.shown)
    assert all(shown.shown)


def test_the_replay_keeps_the_resting_places_and_a_referee_checks_them():
    class Menu:
        def __init__(self, seed):
            self.rng = Random(seed)

        def start(self, **_): ...

        def decide(self, question):
            return Answer(self.rng.choice(question.legal or question.suggestions))

        def end(self, _): ...

    replay = play(GAME, [Menu(1), Menu(2)], seed=9).replay
    throws = [entry for entry in replay.log if entry.get("kind") == "throw"]
    assert all(len(xy) == 2 for entry in throws for xy in entry["note"]["rest"])
    assert len(throws[0]["note"]["rest"]) == 1
    verify(GAME, from_json(replay.to_json()))

    throws[3]["note"]["rest"][0][0] += 0.001

    with pytest.raises(BadReplay, match="note"):
        verify(GAME, from_json(replay.to_json()))
