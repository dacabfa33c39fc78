"""What the top ten of a board do in a kind of position."""

from __future__ import annotations

from collections import defaultdict

from ladder.boards import Board
from ladder.contract.study.explorer import Explored, ExploredAnswer
from ladder.models import Entry, Match, MoveTally, Play, Rating
from ladder.models import Explored as ExploredRow

TOP = 10
MOST_PLAYS = 100  # that are counted of a version on a board
MOST_ANSWERS = 12


def top_versions(board: Board) -> list[int]:
    top = Rating.objects.on(board).ranked().by_rank()
    return list(top.values_list("version", flat=True)[:TOP])


def at(board: Board, kind: str, played: str) -> Explored:
    """The answers in a kind of position, the most frequent first."""
    versions = top_versions(board)
    rows = MoveTally.objects.filter(version__in=versions, seats=board.seats, kind=kind)
    times: dict[str, int] = defaultdict(int)
    plays: dict[str, int] = defaultdict(int)
    results: dict[str, float] = defaultdict(float)
    bots: dict[str, set[int]] = defaultdict(set)
    for version, answer, count, own, result in rows.values_list(
        "version", "answer", "times", "plays", "result_sum"
    ):
        times[answer] += count
        plays[answer] += own
        results[answer] += result
        bots[answer].add(version)
    total = sum(times.values())
    explored = ExploredRow.objects.filter(version__in=versions, seats=board.seats)
    counted = list(explored.values_list("plays", flat=True))
    ordered = sorted(times, key=lambda answer: (-times[answer], answer))[:MOST_ANSWERS]
    return Explored(
        game=board.game,
        seats=board.seats,
        kind=kind,
        bots=sum(count > 0 for count in counted),
        plays=sum(counted),
        answers=[
            ExploredAnswer(
                answer=answer,
                times=times[answer],
                share=round(times[answer] / total, 4),
                bots=len(bots[answer]),
                result=round(results[answer] / plays[answer], 4),
                is_played=answer == played,
            )
            for answer in ordered
        ],
    )


def next_uncounted(board: Board) -> tuple[int, int, int] | None:
    """A version of the top ten, a play of it that is not counted yet, and its slot there."""
    versions = top_versions(board)
    explored = ExploredRow.objects.filter(version__in=versions, seats=board.seats)
    seen = {
        version: (last, plays)
        for version, last, plays in explored.values_list("version", "last_match", "plays")
    }
    for version in sorted(versions, key=lambda one: seen.get(one, (0, 0))[1]):
        last, plays = seen.get(version, (0, 0))
        if plays >= MOST_PLAYS:
            continue
        found = Entry.objects.filter(
            version=version,
            match__gt=last,
            match__kind=Match.Kind.LADDER,
            match__status=Match.Status.FINISHED,
            match__game=board.game,
            match__seats=board.seats,
        )
        for match, slot in found.order_by("match_id").values_list("match_id", "slot")[:1]:
            plays_of_it = Play.objects.filter(match=match).order_by("index")
            for play in plays_of_it.values_list("pk", flat=True)[:1]:
                return version, play, slot
    return None
