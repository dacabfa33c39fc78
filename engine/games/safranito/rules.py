"""The rules of Safranito: what may be decided, and how a play ends. phases.py says what follows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.errors import IllegalAction
from engine.game import Action, Result
from engine.games.safranito import actions, board, telling, throwing
from engine.games.safranito.actions import BOWL, BUY, COOK, DECLINE, KEEP, NOTHING, PASS, SELL, USE
from engine.games.safranito.phases import (
    ACTING,
    BUYING,
    CHOOSING,
    KEEPING,
    KINDS,
    LAST_ROUND,
    SELLING,
    THROWING,
    WINNING_DISHES,
    Phases,
)
from engine.games.safranito.table import IN_MASK


class Rules(Phases):
    """The decision that is due: its legal answers, their texts, and their effect."""

    __slots__ = ()

    @property
    def kind(self) -> str:
        return KINDS[self.stage]

    def legal(self) -> list[Action]:
        """All actions, the most passive first, then in rising order of number, spice or dish."""
        stage = self.stage
        if stage == THROWING:
            return [] if self.can_launch() else [(value,) for value in self.tokens()]
        if self.to_act is None:
            return []
        if stage == ACTING:
            return [DECLINE, USE]
        if stage == BUYING:
            return [NOTHING, BUY]
        if stage == CHOOSING:
            return [BOWL + spice for spice in sorted(set(self.regions))]
        if stage == SELLING:
            return [*range(SELL, SELL + self.hands[self.to_act][self.bowl] + 1)]
        if stage == KEEPING:
            return [KEEP + spice for spice in sorted(set(self.looked))]
        return [PASS, *(COOK + dish for dish in self.cookable(self.to_act))]

    def is_legal(self, action: Action) -> bool:
        if self.stage == THROWING:
            return not throwing.refusal(self, action)
        return type(action) is int and action in self.legal()

    def apply(self, action: Action) -> None:
        stage, seat = self.stage, self.to_act
        if stage == THROWING:
            refused = throwing.refusal(self, action)
            if refused:
                raise IllegalAction(refused)
            self.throw(action)
            return
        if type(action) is not int or action not in self.legal() or seat is None:
            known = type(action) is int and action in actions.TEXTS
            text = actions.TEXTS[action] if known else action
            raise IllegalAction(f"{text!r} is not one of {len(self.legal())} legal actions")
        self.rest = None
        if stage == SELLING:
            self.sell(seat, action - SELL)
        elif stage == BUYING:
            self.buy(seat, action == BUY)
        elif stage == CHOOSING:
            self.open_bowl(action - BOWL)
        elif stage == ACTING:
            self.act(seat, action == USE)
        elif stage == KEEPING:
            self.keep(seat, action - KEEP)
        else:
            self.cook(seat, action - COOK)

    def notation(self, action: Action) -> str:
        return actions.notation(action)

    def phrase(self, action: Action) -> str:
        return telling.move(self, action)

    def parse(self, text: str) -> Action:
        return actions.parse(text)

    def suggestions(self) -> Sequence[Action]:
        return throwing.menu(self) if self.can_launch() else self.legal()

    def ranges(self) -> dict[str, Any] | None:
        return throwing.ranges(self) if self.can_launch() else None

    def sample(self, rng: Random) -> Action:
        return throwing.sample(self, rng) if self.can_launch() else rng.choice(self.legal())

    def autopilot(self) -> Action:
        return throwing.weakest(self) if self.can_launch() else self.legal()[0]

    def can_launch(self) -> bool:
        """Whether a throw is due and some launch point is free."""
        return self.stage == THROWING and board.can_launch(self.side(), self.xs, self.ys)

    def tokens(self) -> tuple[int, ...]:
        """The values the seat to act has in hand."""
        assert self.to_act is not None
        return IN_MASK[self.holding[self.to_act]]

    def note(self) -> dict[str, Any] | None:
        """Where all discs lay after the throw just made, in the order of throwing."""
        if self.rest is None:
            return None
        return {"rest": [[x, y] for x, y in zip(*self.rest, strict=True)]}

    def result(self) -> Result | None:
        if self.to_act is not None:
            return None
        standing = [
            (
                len(self.cooked[s]),
                self.money[s],
                sum(self.hands[s]),
                -((s - self.chef) % self.seats),
            )
            for s in range(self.seats)
        ]
        places = tuple(1 + sum(other > own for other in standing) for own in standing)
        points = tuple(len(dishes) for dishes in self.cooked)
        third = max(points) == WINNING_DISHES
        reason = "a third dish is served" if third else f"round {LAST_ROUND} is over"
        return Result(places, points, reason)
