"""The analyst of Hot Ramen: House Wok's quick turns, and its idea of how well a seat stands."""

from __future__ import annotations

from collections.abc import Sequence

from engine.analysis.analyst import Analyst, Settings, bot, copied
from engine.analysis.exact import chance_to_beat
from engine.analysis.shares import Shares
from engine.analysis.tape import NoLuck
from engine.game import Action, Seat
from engine.games.hot_ramen import actions as do
from engine.games.hot_ramen.rules import HotRamenState
from engine.games.hot_ramen.zones import starting_hp

WOK = bot("hot_ramen", "wok")
TURNS = 4  # that a table is played on before it is valued
CONFIDENCE = 0.8  # House Wok is too sure of itself: calibration slope of its chance to win


class HotRamenAnalyst(Analyst):
    slug = "hot_ramen"
    name = "the quick policy inside House Wok"
    version = 1
    budgets = {
        "quick": Settings(first=4, pairs=32, worlds=8),
        "standard": Settings(first=16, pairs=128, worlds=32, checks=48),
        "thorough": Settings(first=32, pairs=512, worlds=128, checks=96),
    }

    def act(self, state: HotRamenState) -> Action:
        return WOK.quick(state, WOK.Prices(state))

    def horizon(self, state: HotRamenState) -> int:
        return state.turn + TURNS

    def play_out(self, state: HotRamenState, until: int) -> Shares:
        quick, apply = WOK.quick, state.apply
        while state.to_act is not None and state.turn < until:
            turn, prices = state.turn, WOK.Prices(state)
            while state.turn == turn and state.to_act is not None:
                apply(quick(state, prices))
        return self.result(state) if state.to_act is None else expectation(state)

    def candidates(self, state: HotRamenState) -> Sequence[Action]:
        sensible: list[Action] = list(WOK.sensible(state))
        if do.STOP in state.legal() and do.STOP not in sensible:
            sensible.append(do.STOP)
        return sensible

    def reason(self, state: HotRamenState, seat: Seat, played: Action, best: Action) -> str:
        """What the two keep, or what stopping now serves."""
        mine, theirs = _kept(state, seat, played), _kept(state, seat, best)
        if mine and theirs:
            return f"It keeps {theirs} instead of {mine}." if mine != theirs else ""
        pepper, dice = _value(state.pepper), len(state.table)
        if best == do.STOP:
            others = (one for one in range(state.seats) if one != seat and not state.out[one])
            if any(pepper >= state.hp[one] + _guard(state, one) for one in others):
                return f"The {pepper} pepper served now knock a player out."
            return f"It serves {pepper} pepper and keeps {_guard(state, seat)} ramen."
        if played == do.STOP:
            left = f"{dice} {'die' if dice == 1 else 'dice'} left to roll"
            return f"Stopping serves {pepper} pepper with {left}."
        return ""


def _value(zone: Sequence[int]) -> int:
    return sum(die >> 3 for die in zone)


def _guard(state: HotRamenState, seat: Seat) -> int:
    """The ramen in front of a seat."""
    return _value(state.leftover[seat]) + _value(state.fresh[seat])


def _kept(state: HotRamenState, seat: Seat, action: Action) -> str:
    """ "4 pepper", for an action that keeps dice."""
    if action & ~0xFFF not in (do.PICK, do.PICK_WILD):
        return ""
    twin = copied(state, NoLuck())
    twin.pick(seat, action)
    gains = {
        "pepper": _value(twin.pepper) - _value(state.pepper),
        "ramen": _guard(twin, seat) - _guard(state, seat),
        "money": _value(twin.money) - _value(state.money),
    }
    return next((f"{count} {name}" for name, count in gains.items() if count), "")


def expectation(state: HotRamenState) -> Shares:
    """Everyone against everyone: those alive by their strength, the others by when they left."""
    alive = [seat for seat in range(state.seats) if not state.out[seat]]
    early = sum(state.hp) / len(alive) / starting_hp(state.seats)
    strength = [
        0.0 if state.out[seat] else WOK.strength(state, seat, early) for seat in range(state.seats)
    ]
    shares = []
    for seat in range(state.seats):
        total = 0.0
        for other in range(state.seats):
            if other == seat:
                continue
            own, theirs = state.out[seat], state.out[other]
            if not own and not theirs:
                total += chance_to_beat(CONFIDENCE * (strength[seat] - strength[other]))
            elif own and theirs:
                total += 0.5 if own == theirs else float(own > theirs)
            else:
                total += float(not own)
        shares.append(total / (state.seats - 1))
    return tuple(shares)


ANALYST = HotRamenAnalyst()
