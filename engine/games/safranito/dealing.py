"""Tables dealt from what a seat knows: for bots that search, and for tests of secrecy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import TypeVar

from engine.chance import RandomChance
from engine.game import Seat, View
from engine.games.safranito.actions import DISH_NAMES, DISHES
from engine.games.safranito.board import SPACES, SPICES, region
from engine.games.safranito.phases import KINDS, NO_SPACE, SELLING
from engine.games.safranito.rules import Rules
from engine.games.safranito.table import (
    ALL_TOKENS,
    BIT,
    CARDS_PER_SPICE,
    IN_MASK,
    KNOWN_BY,
    SPICE,
)

SPICE_AT = {name: spice for spice, name in enumerate(SPICES)}
DISH_AT = {name: dish for dish, name in enumerate(DISH_NAMES)}
AnyRules = TypeVar("AnyRules", bound=Rules)


def determinize(kind: type[AnyRules], view: View, rng: Random) -> AnyRules:
    """A random table that looks exactly like this view to its seat."""
    seat: Seat = view["seat"]
    own = view["own"]
    table = kind.blank(view["seats"], RandomChance(rng), view["options"])
    table.to_act, table.stage = view["to_act"], KINDS.index(view["kind"])
    table.edges = view["edges"]
    table.round, table.chef, table.turn = view["round"], view["chef"], view["turn"]
    table.space = -1 if view["phase"] == "throws" else NO_SPACE
    if view["space"] is not None:
        table.space = SPACES.index(view["space"])
    table.bowl = 0 if view["bowl"] is None else SPICE_AT[view["bowl"]]
    table.price, table.served = view["price"], view["served"]
    table.sold = sum(1 << seller for seller in view["sold"])
    table.money = list(view["money"])
    table.display = counts(view["display"])
    table.discard = [s for s, count in enumerate(counts(view["discard"])) for _ in range(count)]
    table.known = [counts(hand) for hand in view["known"]]
    table.face_up = [DISH_AT[name] for name in view["dishes"]]
    table.cooked = [[DISH_AT[name] for name in names] for names in view["cooked"]]
    for disc in view["discs"]:
        table.xs.append(disc["x"])
        table.ys.append(disc["y"])
        table.owners.append(disc["seat"])
        table.values.append(disc["value"] or 0)
        table.shown.append(disc["shown"])
        table.regions.append(region(disc["x"], disc["y"]))
    table.back = [sum(BIT[value] for value in values) for values in view["back"]]
    table.holding[seat] = sum(BIT[value] for value in own["tokens"])
    table.out[seat] = sum(BIT[value] for value in own["out"])
    table.hands[seat] = counts(own["hand"])
    table.reserved[seat] = [DISH_AT[name] for name in own["reserved"]]
    table.looked = [SPICE_AT[name] for name in own["looked"]] or [0] * view["looked"]
    table.draw = [0] * view["draw"]
    for at, name in view["under"]:
        table.draw[-1 - at] = SPICE_AT[name] + (KNOWN_BY << seat)
    for other in range(table.seats):
        if other != seat:
            _deal_tokens(table, other, view["out"][other], rng)
    _deal_spices(table, seat, view["secret"], rng)
    _deal_dishes(table, seat, view["reserved"], view["dish_pile"], rng)
    return table


def deal_anew(table: Rules, seat: Seat, rng: Random) -> None:
    """Deal again all that a seat may not know."""
    secret = [sum(table.hands[s]) - sum(table.known[s]) for s in range(table.seats)]
    table.values = table.values.copy()
    for other in range(table.seats):
        if other != seat:
            _deal_tokens(table, other, table.out[other].bit_count(), rng)
    _deal_spices(table, seat, secret, rng)
    reserved = [len(dishes) for dishes in table.reserved]
    _deal_dishes(table, seat, reserved, len(table.dish_pile), rng)


def _deal_tokens(table: Rules, other: Seat, out: int, rng: Random) -> None:
    """Values for another seat's tokens: face down on the board, out of play and in hand."""
    down, hidden = [], ALL_TOKENS & ~table.back[other]
    for disc, owner in enumerate(table.owners):
        if owner == other:
            if table.shown[disc]:
                hidden &= ~BIT[table.values[disc]]
            else:
                down.append(disc)
    unseen = list(IN_MASK[hidden])
    rng.shuffle(unseen)
    for disc in down:
        table.values[disc] = unseen.pop()
    table.out[other] = 0
    for _ in range(out):
        table.out[other] |= BIT[unseen.pop()]
    table.holding[other] = table.back[other]
    for value in unseen:
        table.holding[other] |= BIT[value]


def _deal_spices(table: Rules, seat: Seat, secret: Sequence[int], rng: Random) -> None:
    """Spices for the others' secret cards, the cards they look at, and the draw pile."""
    mine = KNOWN_BY << seat
    looks = table.to_act != seat and bool(table.looked)
    seen = [card & SPICE for card in table.draw if card & mine] + table.discard
    left = [CARDS_PER_SPICE] * len(SPICES)
    for spice in seen if looks else seen + table.looked:
        left[spice] -= 1
    hands = [table.hands[s] if s == seat else table.known[s] for s in range(table.seats)]
    for held in (table.display, *hands):
        for spice, count in enumerate(held):
            left[spice] -= count
    pool = [spice for spice, count in enumerate(left) for _ in range(count)]
    rng.shuffle(pool)
    asked = table.to_act if table.stage == SELLING and table.to_act != seat else None
    if asked is not None and not table.known[asked][table.bowl]:
        # Whoever is asked to sell holds the spice: if not openly, then among the secret cards.
        pool.remove(table.bowl)
        pool.append(table.bowl)
    for other in sorted(range(table.seats), key=lambda other: other != asked):
        if other != seat:
            table.hands[other] = table.known[other].copy()
            for _ in range(secret[other]):
                table.hands[other][pool.pop()] += 1
    if looks:
        table.looked = [pool.pop() for _ in table.looked]
    table.draw = [card if card & mine else pool.pop() for card in table.draw]


def _deal_dishes(table: Rules, seat: Seat, reserved: Sequence[int], pile: int, rng: Random) -> None:
    """Dishes for the others' reserves and the pile."""
    seen = {*table.face_up, *table.reserved[seat]}
    for dishes in table.cooked:
        seen.update(dishes)
    pool = [dish for dish in range(len(DISHES)) if dish not in seen]
    rng.shuffle(pool)
    for other in range(table.seats):
        if other != seat:
            table.reserved[other] = [pool.pop() for _ in range(reserved[other])]
    table.dish_pile = [pool.pop() for _ in range(pile)]


def counts(data: Mapping[str, int]) -> list[int]:
    """Cards by name, as a count by spice."""
    return [data.get(name, 0) for name in SPICES]
