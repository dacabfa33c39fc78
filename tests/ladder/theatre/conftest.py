"""Plays to watch, made by seeded dice; one has a bot that breaks off."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache as cache_plays

import pytest
from django.core.cache import cache

from engine import match
from engine.games import GAMES
from engine.match import Answer, Fault, Played, Question
from engine.outcome import FaultKind
from engine.replay import Replay, Seating
from tests.ladder.cli.conftest import ladle, refused
from tests.local_play import Dice

__all__ = ["ladle", "refused"]


class Quitter(Dice):
    """A player that is at fault at its third decision."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._asked = 0

    def decide(self, question: Question) -> Answer | Fault:
        self._asked += 1
        if self._asked == 3:
            return Fault(FaultKind.TIMEOUT, "It thought for too long.")
        return super().decide(question)


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture(scope="session")
def played() -> Callable[..., Replay]:
    @cache_plays
    def play(
        slug: str = "ramen_ramen", seats: int = 2, names: tuple[str, ...] = (), quits: bool = False
    ) -> Replay:
        players = [(Quitter if quits and seat == 1 else Dice)(seat) for seat in range(seats)]
        called = names or [f"bot{seat}" for seat in range(seats)]
        seating = [Seating(seat, name) for seat, name in enumerate(called)]
        done: Played = match.play(GAMES[slug], players, seed=7, seating=seating)
        return done.replay

    return play
