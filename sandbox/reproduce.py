"""Proof of who played: a replay played again in the sandbox by the bots that it names."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack

from engine.errors import BadReplay
from engine.game import Game, Seat
from engine.replay import Replay
from engine.reproduce import reproduce, times
from sandbox.gate import Seating
from sandbox.program import Program
from sandbox.table import Tablemates


def prove(game: Game, replay: Replay, programs: Mapping[Seat, Program], *, sit: Seating) -> int:
    """How many decisions these programs made again at their seats; BadReplay says what differs.

    Where a bot's time is fuel, that of each decision must be the same as well.
    """
    for seat, program in programs.items():
        if replay.players[seat].sha256 != program.sha256:
            raise BadReplay(f"the replay names another bot at seat {seat + 1}")
    with ExitStack() as stack:
        players = {
            seat: stack.enter_context(sit(program, Tablemates()))
            for seat, program in programs.items()
        }
        again = reproduce(game, replay, players)
    fuelled = [seat for seat, program in programs.items() if program.language.has_fuel]
    if times(again, fuelled) != times(replay, fuelled):
        raise BadReplay("every choice is the same, but not its time")
    return len(times(again, programs))
