"""Playing a replay again with the bots that played it: does each choose what is recorded?

A replay alone proves that a play followed the rules, not who chose. A bot that is a function of
its input (a WebAssembly module is) can be asked again, and must choose the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from engine.errors import BadReplay
from engine.game import Game, Result, Seat
from engine.match import Answer, Fault, Player, Question, play
from engine.outcome import FaultKind
from engine.replay import Replay


class Recorded:
    """Does at its seat what a replay says."""

    def __init__(self, replay: Replay, seat: Seat) -> None:
        self._left = [
            entry for entry in replay.log if entry.get("seat") == seat and not entry.get("auto")
        ]

    def start(
        self, *, game: Game, seat: Seat, seats: int, options: Mapping[str, Any], luck: int
    ) -> None:
        pass

    def decide(self, question: Question) -> Answer | Fault:
        entry = self._left.pop(0) if self._left else {"fault": FaultKind.PROTOCOL}
        if "fault" in entry:
            return Fault(FaultKind(entry["fault"]), "as recorded")
        return Answer(entry["action"])

    def end(self, result: Result) -> None:
        pass


def reproduce(game: Game, replay: Replay, players: Mapping[Seat, Player]) -> Replay:
    """Play again with these players at their seats, the others as recorded.

    The play as it went this time, whose times may differ; BadReplay names the first step that does.
    """
    if replay.seed is None or replay.result is None:
        raise BadReplay("only a play with a seed that is over can be played again")
    table: list[Player] = [
        players.get(seat) or Recorded(replay, seat) for seat in range(replay.seats)
    ]
    again = play(
        game.at_version(replay.rules_version),
        table,
        seed=replay.seed,
        options=replay.options,
        seating=replay.players,
        match=replay.match,
        index=replay.round,
    ).replay
    for step, (then, now) in enumerate(zip(replay.log, again.log, strict=False)):
        if then != now:
            raise BadReplay(f"step {step + 1} was {_words(then)}, and is {_words(now)} this time")
    if replace(again, cpu_us=[]) != replace(replay, cpu_us=[]):
        raise BadReplay("the play ends otherwise this time")
    return again


def times(replay: Replay, seats: Collection[Seat]) -> list[int]:
    """Of the decisions at these seats."""
    actions = [entry for entry in replay.log if "action" in entry]
    return [
        spent
        for entry, spent in zip(actions, replay.cpu_us, strict=True)
        if entry["seat"] in seats and not entry.get("auto")
    ]


def _words(entry: Mapping[str, Any]) -> str:
    if "chance" in entry:
        return "chance"
    what = f"a {entry['fault']}" if "fault" in entry else f"'{entry['action']}'"
    return f"{what} by seat {entry['seat'] + 1}"
