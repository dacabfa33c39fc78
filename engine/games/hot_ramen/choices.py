"""What may be done: the legal actions of a table, in their fixed order."""

from __future__ import annotations

from engine.game import Seat
from engine.games.hot_ramen import actions as do
from engine.games.hot_ramen.dice import (
    DOUBLE,
    FACE_NAMES,
    NO_SYMBOL,
    PEPPER,
    RAMEN,
    SYMBOL,
    SYMBOLS,
    TRIPLE,
    WILD,
)
from engine.games.hot_ramen.zones import CHOOSE, LEFTOVER, Zones, starting_hp

COST, JOKER_COST = 2, 3

# Sets of symbols are bits: pepper 1, ramen 2, money 4; a face of a joker die adds 8.
JOKERS = 8
BITS = tuple(
    1 << symbol if symbol < NO_SYMBOL else JOKERS if face >= WILD else 0
    for face, symbol in zip(range(len(FACE_NAMES)), SYMBOL, strict=True)
)
PLAIN_PICKS = tuple(
    tuple(do.PICK | symbol << 9 for symbol in range(len(SYMBOLS)) if bits >> symbol & 1)
    for bits in range(8)
)
STOP_ONLY = (do.STOP,)
STOP_OR_ROLL = (do.STOP, do.ROLL)


def legal_actions(zones: Zones) -> tuple[int, ...]:
    """In this order: picks (P, R, M), joker-only picks, stop, roll, then money actions.

    `stop` is not there while a pick is possible. Money actions come as buy, trash, draw, reroll,
    heal, recycle, joker; within a verb by zone, then ascending.
    """
    seat = zones.to_act
    if seat is None:
        return ()
    if zones.phase == LEFTOVER:
        return tuple([do.DISCARD | die for die in sorted(set(zones.leftover[seat]))])
    if zones.phase == CHOOSE:
        found = picks(zones, seat) or STOP_ONLY
    else:
        found = STOP_OR_ROLL if zones.table else STOP_ONLY
    if zones.cash[seat] >= COST:
        return (*found, *money_actions(zones, seat))
    return found


def picks(zones: Zones, seat: Seat) -> tuple[int, ...]:
    """The picks that the rolled dice allow."""
    shown = 0
    for die in zones.table:
        shown |= BITS[die >> 3]
    if zones.pepper:
        shown &= ~(1 << PEPPER)
    if zones.fresh[seat]:
        shown &= ~(1 << RAMEN)
    return PLAIN_PICKS[shown] if shown < JOKERS else joker_picks(zones, shown)


def joker_picks(zones: Zones, shown: int) -> tuple[int, ...]:
    """The picks where joker dice may come along or stand for themselves."""
    faces = [die >> 3 for die in zones.table]
    jokers = faces.count(WILD), faces.count(DOUBLE), faces.count(TRIPLE)
    along = do.boosts(*jokers, 0)
    found = [pick | boost for pick in PLAIN_PICKS[shown & ~JOKERS] for boost in along]
    alone = do.boosts(*jokers, 1)  # none without a wild die
    for symbol in range(len(SYMBOLS)):
        found += [do.PICK_WILD | symbol << 9 | boost for boost in alone]
    return tuple(found)


def money_actions(zones: Zones, seat: Seat) -> list[int]:
    """What the seat can pay for with at least 2 $."""
    found = [do.BUY | colour for colour in sorted(set(zones.market))]
    own = (zones.leftover[seat], zones.fresh[seat], zones.pepper, zones.money, zones.table)
    for zone, dice in enumerate(own):
        if dice:
            found += [do.TRASH | zone << 9 | die for die in sorted(set(dice))]
    if zones.options["trash_action"] == "remove":  # only then is it worth anything there
        own_trash = do.TRASH | do.OWN_TRASH << 9
        found += [own_trash | colour for colour in sorted(set(zones.trash[seat]))]
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
