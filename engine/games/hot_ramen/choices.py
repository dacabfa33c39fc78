"""What may be done: the legal actions of a table, in their fixed order."""

from __future__ import annotations

from engine.game import Seat
from engine.games.hot_ramen import actions as do
from engine.games.hot_ramen.dice import DOUBLE, MONEY, NO_SYMBOL, PEPPER, RAMEN, SYMBOL, WILD
from engine.games.hot_ramen.zones import CHOOSE, LEFTOVER, Zones, starting_hp

COST, JOKER_COST = 2, 3


def legal_actions(zones: Zones) -> list[int]:
    """In this order: picks (P, R, M), joker-only picks, stop, roll, then money actions.

    `stop` is not there while a pick is possible. Money actions come as buy, trash, draw, reroll,
    heal, recycle, joker; within a verb by zone, then ascending.
    """
    seat = zones.to_act
    if seat is None:
        return []
    if zones.phase == LEFTOVER:
        return [do.DISCARD | die for die in sorted(set(zones.leftover[seat]))]
    if zones.phase == CHOOSE:
        found = picks(zones, seat) or [do.STOP]
    else:
        found = [do.STOP, do.ROLL] if zones.table else [do.STOP]
    if zones.cash[seat] >= COST:
        found += money_actions(zones, seat)
    return found


def picks(zones: Zones, seat: Seat) -> list[int]:
    """The picks that the rolled dice allow."""
    shown = [False] * (NO_SYMBOL + 1)
    wilds = doubles = triples = 0
    for die in zones.table:
        face = die >> 3
        shown[SYMBOL[face]] = True
        if face >= WILD:
            if face == WILD:
                wilds += 1
            elif face == DOUBLE:
                doubles += 1
            else:
                triples += 1
    symbols = []
    if shown[PEPPER] and not zones.pepper:
        symbols.append(PEPPER)
    if shown[RAMEN] and not zones.fresh[seat]:
        symbols.append(RAMEN)
    if shown[MONEY]:
        symbols.append(MONEY)
    if not (wilds or doubles or triples):
        return [do.PICK | symbol << 9 for symbol in symbols]
    with_jokers = do.boosts(wilds, doubles, triples, 0)
    found = [do.PICK | symbol << 9 | jokers for symbol in symbols for jokers in with_jokers]
    only_jokers = do.boosts(wilds, doubles, triples, 1)  # none without a wild die
    for symbol in (PEPPER, RAMEN, MONEY):
        found += [do.PICK_WILD | symbol << 9 | jokers for jokers in only_jokers]
    return found


def money_actions(zones: Zones, seat: Seat) -> list[int]:
    """What the seat can pay for with at least 2 $."""
    found = [do.BUY | colour for colour in sorted(set(zones.market))]
    own = (zones.leftover[seat], zones.fresh[seat], zones.pepper, zones.money, zones.table)
    for zone, dice in enumerate(own):
        if dice:
            found += [do.TRASH | zone << 9 | die for die in sorted(set(dice))]
    if zones.pouch[seat] or zones.trash[seat]:
        found.append(do.DRAW)
    if zones.phase == CHOOSE:
        found += [do.REROLL | die for die in sorted(set(zones.table))]
    if zones.hp[seat] < starting_hp(zones.seats):
        found.append(do.HEAL)
    if zones.kitchen:
        found.append(do.RECYCLE)
    if zones.jokers and zones.cash[seat] >= JOKER_COST:
        found.append(do.BUY_JOKER)
    return found
