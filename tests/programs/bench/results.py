"""A match that was just played, ready to be recorded."""

from __future__ import annotations

from random import Random

from engine.arena import Entry as Entrant
from engine.arena import play_set
from engine.match import Answer, Fault, Question
from ladder.models import Match, Tick, Version
from ladder.services import matches
from ladder.services.matches import Record, Usage
from ladder.services.rating import fitting
from tests.programs.bench.stock import BOARD

VERSIONS = 2


class RandomPlayer:
    """Answers in this process; only what it leaves behind is of interest."""

    def __init__(self) -> None:
        self._rng = Random(1)

    def start(self, **_: object) -> None:
        pass

    def decide(self, question: Question) -> Answer | Fault:
        assert question.legal is not None
        return Answer(self._rng.choice(question.legal), 100)

    def end(self, _: object) -> None:
        pass


def played() -> Record:
    """What a worker brings back from a duel."""
    entrants = [Entrant([RandomPlayer()], f"Bot {n}", 1, "0" * 64) for n in range(VERSIONS)]
    plays = list(play_set(BOARD.rules, BOARD.seats, entrants, seed=1))
    return Record(plays, [Usage(1000, 9000) for _ in entrants])


def claimed() -> tuple[Match, Tick]:
    """A running match in a tick of its own."""
    last = Tick.objects.on(BOARD).order_by("-number").values_list("number", flat=True).first()
    tick = Tick.objects.create(game=BOARD.game, seats=BOARD.seats, number=(last or 0) + 1)
    queued = matches.queue(
        kind=Match.Kind.LADDER,
        game=BOARD.game,
        seats=BOARD.seats,
        versions=Version.objects.order_by("pk")[:VERSIONS],
        why="Both waited longest.",
        tick=tick,
    )
    match = Match.all_objects.filter(pk=queued.pk).claim_next("bench")
    assert match is not None
    return match, tick


def store(match: Match, tick: Tick, record: Record) -> None:
    assert matches.finish(match, record)
    fitting.rate(tick.board, [tick])
