"""A random full state that fits a view: the hidden cards dealt again, secret recipes drawn."""

from __future__ import annotations

from random import Random

from engine.chance import RandomChance
from engine.game import View
from engine.games.potage_sauvage.cards import CARD, CARDS, DECK, NONE, RECIPES, SUITS, bits
from engine.games.potage_sauvage.rules import UNDECIDED, PotageState, hand_size
from engine.games.potage_sauvage.view import HIDDEN

COPIES = [DECK.count(card) for card in range(32)]


def determinize(view: View, rng: Random) -> PotageState:
    """A state whose hidden cards respect every hand size and every suit a seat is known to lack.

    Deals that fit are about equally likely, exactly so while at most one suit is lacking.
    Nothing is assumed about why a card was played.
    """
    state = object.__new__(PotageState)
    seats, own = view["seats"], view["seat"]
    state.seats = seats
    state.chance = RandomChance(rng)
    state.options = view["options"]
    state.events = None
    state.to_act = view["to_act"]
    state.points = list(view["points"])
    state.dealer = view["dealer"]
    state.leader = view["leader"]
    state.total = view["total"]
    state.demand = NONE if view["demand"] is None else SUITS.index(view["demand"])
    state.pot = [CARD[text] for text in view["pot"]]
    state.piles = [[CARD[text] for text in pile] for pile in view["piles"]]
    state.voids = [sum(1 << SUITS.index(suit) for suit in suits) for suits in view["voids"]]
    state.unused = [sum(1 << RECIPES.index(each) for each in left) for left in view["unused"]]
    state.served = [
        tuple((RECIPES.index(recipe), gained) for recipe, gained in deal) for deal in view["served"]
    ]
    state.waiting = view["recipes"].count(None)
    state.chosen = [
        UNDECIDED
        if recipe is None
        else RECIPES.index(rng.choice(left) if recipe == HIDDEN else recipe)
        for recipe, left in zip(view["recipes"], view["unused"], strict=True)
    ]

    hand = [CARD[text] for text in view["hand"]]
    unseen = unseen_cards([hand, state.pot, *state.piles])
    # One more holder than seats: the cards set aside.
    rooms = [*view["hand_sizes"], len(DECK) - seats * hand_size(seats)]
    rooms[own] = 0
    held = deal_unseen(unseen, rooms, [*state.voids, 0], rng)
    held[own] = hand
    state.once = [0] * seats
    state.twice = [0] * seats
    for seat in range(seats):
        state.give(seat, held[seat])
    state.aside = sorted(held[seats])
    return state


def unseen_cards(seen: list[list[int]]) -> list[int]:
    """The deck without the cards seen."""
    left = COPIES.copy()
    for cards in seen:
        for card in cards:
            left[card] -= 1
    return [card for card in CARDS for _ in range(left[card])]


def deal_unseen(
    cards: list[int], rooms: list[int], voids: list[int], rng: Random
) -> list[list[int]]:
    """Deal the cards at random to holders with so much room each, none getting a suit it lacks.

    `voids` are masks of suits. The suits that somebody lacks go first, those with the fewest
    places foremost; where a card still finds no room, others move over to make it, so a deal is
    found whenever there is one.
    """
    held: list[list[int]] = [[] for _ in rooms]
    uniform = rng.random
    cards.sort(key=lambda _: uniform())  # a shuffle, at a third of the time of rng.shuffle
    free = rooms.copy()
    lacked = 0
    for room, void in zip(rooms, voids, strict=True):
        if room:
            lacked |= void
    if lacked:
        slots_of = {
            suit: sum(room for room, void in zip(rooms, voids, strict=True) if not void >> suit & 1)
            for suit in bits(lacked)
        }
        for suit in sorted(slots_of, key=slots_of.__getitem__):
            slots = [
                holder
                for holder, void in enumerate(voids)
                if not void >> suit & 1
                for _ in range(free[holder])
            ]
            slots.sort(key=lambda _: uniform())
            suited = [card for card in cards if card >> 3 == suit]
            for card, holder in zip(suited, slots, strict=False):
                held[holder].append(card)
                free[holder] -= 1
            for card in suited[len(slots) :]:
                _squeeze_in(card, held, free, voids, set())
        cards = [card for card in cards if not lacked >> (card >> 3) & 1]
    start = 0
    for holder, room in enumerate(free):
        held[holder] += cards[start : start + room]
        start += room
    return held


def _squeeze_in(
    card: int, held: list[list[int]], free: list[int], voids: list[int], tried: set[int]
) -> bool:
    """Give the card to a holder that may have it, one of whose cards moves on if need be."""
    for holder, own in enumerate(held):
        if holder in tried or voids[holder] >> (card >> 3) & 1:
            continue
        tried.add(holder)
        if free[holder]:
            free[holder] -= 1
            own.append(card)
            return True
        for at, other in enumerate(own):
            if _squeeze_in(other, held, free, voids, tried):
                own[at] = card
                return True
    return False
