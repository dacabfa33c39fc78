"""Playing matches in this process with random answers: for tests of what happens around them."""

from __future__ import annotations

from random import Random

from engine.arena import Entry, copies, play_set
from engine.match import Answer, Question
from ladder.models import Match
from ladder.services import matches
from ladder.services.matches import Record, Usage


class Dice:
    """A player that picks by a seeded die."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def start(self, **_: object) -> None: ...

    def decide(self, question: Question) -> Answer:
        return Answer(self._rng.choice(question.legal or question.suggestions), cpu_us=50)

    def end(self, result: object) -> None: ...


def record_of(match: Match) -> Record:
    """What a worker would bring back; the same for every attempt at the match."""
    board = match.board
    rows = list(match.entries.order_by("slot").select_related("version__bot"))
    entries = [
        Entry(
            [Dice(match.seed + row.slot + 10 * copy) for copy in range(copies(board.rules, 4))]
            if board.is_team
            else [Dice(match.seed + row.slot)],
            row.bot.name,
            row.version.number,
            row.version.sha256,
        )
        for row in rows
    ]
    plays = list(play_set(board.rules, board.seats, entries, seed=match.seed, match=str(match.pk)))
    return Record(plays, [Usage(cpu_us=100) for _ in rows])


def play_and_finish(match: Match, worker: str = "test") -> bool:
    """Claim, play and finish, as a worker does."""
    claimed = Match.all_objects.filter(pk=match.pk).claim_next(worker)
    return claimed is not None and matches.finish(claimed, record_of(claimed))
