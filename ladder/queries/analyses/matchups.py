"""The match-up matrix of a board: a bounded number of rows per bot."""

from __future__ import annotations

from collections import defaultdict

from ladder.boards import Board
from ladder.contract.study.matchups import Company, MatchUp, MatchUpRow, MatchUps
from ladder.models import Entry, Match, Rating
from ladder.queries.figures import share_of
from ladder.ratings.matchups import cycles, difference_test, sign_test, significant

TOP = 16
NEWEST = 150  # ladder matches of each bot

Pair = tuple[int, int]  # ranks, from 0
Played = tuple[float, float, float]  # place, points and score of an entry


def of_board(board: Board) -> MatchUps:
    """The best of a board against each other, and at three seats or more in whose company."""
    top = Rating.objects.on(board).ranked().by_rank()
    best = list(top.values_list("version", "bot", "bot__name", "version__number")[:TOP])
    rank_of = {version: rank for rank, (version, *_) in enumerate(best)}
    entries = {version: _newest(version, board) for version in rank_of}
    tables: dict[int, dict[int, Played]] = defaultdict(dict)  # by match, then by rank
    for version, own in entries.items():
        for match, played in own.items():
            tables[match][rank_of[version]] = played
    scores = _scores(board, tables)
    chances = {
        pair: sign_test(sum(one == 1.0 for one in met), sum(one == 0.0 for one in met))
        for pair, met in scores.items()
        if pair[0] < pair[1]
    }
    real = significant(chances)
    beats = [
        (first, second) if _mean(scores[first, second]) > 0.5 else (second, first)
        for first, second in sorted(real)
    ]
    company = _company(tables) if board.sides > 2 else {}
    names = [name for _, _, name, _ in best]
    return MatchUps(
        game=board.game,
        seats=board.seats,
        rows=[
            MatchUpRow(
                rank=rank + 1,
                bot=bot,
                name=name,
                version=number,
                against=[_cell(scores, real, rank, other) for other in range(len(best))],
                company=[company.get((rank, other)) for other in range(len(best))]
                if board.sides > 2
                else [],
            )
            for rank, (_, bot, name, number) in enumerate(best)
        ],
        cycles=[[names[one] for one in three] for three in cycles(beats)],
        upsets=[[names[winner], names[loser]] for winner, loser in beats if winner > loser],
    )


def _newest(version: int, board: Board) -> dict[int, Played]:
    """A version's newest ladder matches on a board."""
    own = Entry.objects.filter(
        version=version,
        match__kind=Match.Kind.LADDER,
        match__status=Match.Status.FINISHED,
        match__game=board.game,
        match__seats=board.seats,
    )
    rows = own.order_by("-match_id").values_list("match_id", "place", "points", "score")[:NEWEST]
    return {
        match: (place, points, score or 0.0)
        for match, place, points, score in rows
        if place is not None and points is not None
    }


def _scores(board: Board, tables: dict[int, dict[int, Played]]) -> dict[Pair, list[float]]:
    """By pair, who finished ahead in each match that both were in: 1, a half or 0."""
    found: dict[Pair, list[float]] = defaultdict(list)
    for seated in tables.values():
        for first, mine in seated.items():
            for second, theirs in seated.items():
                if first != second:
                    gap = board.gap(mine[:2], theirs[:2])
                    found[first, second].append(1.0 if gap < 0 else 0.5 if gap == 0 else 0.0)
    return found


def _cell(
    scores: dict[Pair, list[float]], real: set[Pair], rank: int, other: int
) -> MatchUp | None:
    met = scores.get((rank, other))
    if not met:
        return None
    is_real = (min(rank, other), max(rank, other)) in real
    return MatchUp(sets=len(met), is_significant=is_real, **share_of(sum(met), len(met)))


def _company(tables: dict[int, dict[int, Played]]) -> dict[Pair, Company]:
    """How each does at tables with another one, beside those without."""
    own: dict[int, dict[int, float]] = defaultdict(dict)
    for match, seated in tables.items():
        for rank, (_, _, score) in seated.items():
            own[rank][match] = score
    split: dict[Pair, tuple[list[float], list[float]]] = {}
    for rank, scores in own.items():
        for other, theirs in own.items():
            if other != rank:
                beside = [score for match, score in scores.items() if match in theirs]
                without = [score for match, score in scores.items() if match not in theirs]
                if beside and without:
                    split[rank, other] = (beside, without)
    real = significant({pair: difference_test(*both) for pair, both in split.items()})
    return {
        pair: Company(
            sets=len(beside),
            score=round(_mean(beside), 4),
            difference=round(_mean(beside) - _mean(without), 4),
            is_significant=pair in real,
        )
        for pair, (beside, without) in split.items()
    }


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
