"""Sandboxes for tests: real ones, each started when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from engine import games
from engine.chance import SeededChance
from engine.game import Limits
from engine.match import Question, question
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import Program, script
from sandbox.table import Tablemates

GAME = games.get("ramen_ramen")
Seated = Callable[..., JailedPlayer]


@pytest.fixture
def asked() -> Question:
    """The first decision of a play."""
    return question(GAME.start(2, SeededChance(1, [])), 0, [])


@pytest.fixture
def seated() -> Iterator[Seated]:
    """Seats a bot, started and ready for its first decision."""
    with ExitStack() as stack:
        pool = stack.enter_context(Pool())
        table = Tablemates()

        def seat(source: str | Program, filename: str = "bot.py", **limits: int) -> JailedPlayer:
            chosen = Limits(**limits) if limits else None
            program = source if isinstance(source, Program) else script(source, filename)
            player = JailedPlayer(program, pool=pool, limits=chosen, table=table)
            stack.enter_context(player)
            player.start(game=GAME, seat=0, seats=2, options={})
            return player

        yield seat
