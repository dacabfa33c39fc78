"""Leagues: house bots mark the divisions of a board, and beating one promotes a bot.

Whether a bot is better than a house bot is decided as in a trial, by the same sequential test, on
the rated sets in which both sat. Those are drawn by the scheduler on luck that nobody knows, so
nobody can choose them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ladder.boards import Board
from ladder.models import Bot, Duel, Promotion
from ladder.ratings import trial as gsprt
from ladder.ratings.outcome import Outcome
from ladder.services.events import reporting
from ladder.services.rating.standing import Standing

Rows = Mapping[int, Standing]  # by version
Bots = Mapping[int, int]  # by version
Pair = tuple[int, int]  # a program and a house bot, by version
Scores = list[tuple[float, int]]  # of sets, with their plays
MOST_SCORES = 13  # of a set: six plays, each lost, level or won


def advance(board: Board, rows: Rows, outcomes: Iterable[Outcome]) -> None:
    """Count what new results say about who beats the house; promote those who do for sure."""
    bosses = {version: row.bot for version, row in rows.items() if row.is_anchor and row.is_active}
    playing = {row.line: row.bot for row in rows.values() if row.is_listed and not row.is_house}
    met: dict[Pair, Scores] = {}
    for outcome in outcomes:
        for i, line in enumerate(outcome.entrants):
            if line not in playing:
                continue
            for j, other in enumerate(outcome.entrants):
                if other in bosses:
                    score = outcome.beats[i][j] / outcome.rounds
                    met.setdefault((line, other), []).append((score, outcome.rounds))
    if met:
        _count_all(board, playing, bosses, met)


def _count_all(board: Board, playing: Bots, bosses: Bots, met: Mapping[Pair, Scores]) -> None:
    """One question and one statement, however many pairs have met."""
    known = {
        (duel.version_id, duel.boss_id): duel
        for duel in Duel.objects.filter(
            game=board.game, seats=board.seats, version__in={line for line, _ in met}
        )
    }
    changed, decided = [], []
    for (line, version), scored in met.items():
        boss = bosses[version]
        duel = known.get((line, boss)) or Duel(
            game=board.game, seats=board.seats, version_id=line, boss_id=boss
        )
        if duel.verdict == gsprt.TrialVerdict.CONTINUE:
            _count(duel, scored)
            changed.append(duel)
            if duel.verdict == gsprt.TrialVerdict.BETTER:
                decided.append((playing[line], boss))
    Duel.objects.bulk_create(
        changed,
        update_conflicts=True,
        unique_fields=["game", "seats", "version", "boss"],
        update_fields=["counts", "llr", "verdict"],
    )
    if decided:
        named = Bot.objects.select_related("active_version").in_bulk(
            {pk for two in decided for pk in two}
        )
        for bot, boss in decided:
            _promote(board, named[bot], named[boss])


def _count(duel: Duel, scored: Scores) -> None:
    counts = list(duel.counts) or [0] * min(2 * scored[0][1] + 1, MOST_SCORES)
    for score, _rounds in scored:
        # Solo sets differ in length: there a score goes to the nearest place.
        counts[round(score * (len(counts) - 1))] += 1
        standing = gsprt.Trial(tuple(counts))
        if standing.verdict != gsprt.TrialVerdict.CONTINUE:
            break  # what comes later does not change an answer
    duel.counts, duel.llr, duel.verdict = counts, standing.llr, standing.verdict


def _promote(board: Board, bot: Bot, boss: Bot) -> None:
    version = bot.active_version
    if version is None:
        return
    _, is_new = Promotion.objects.get_or_create(
        bot=bot, seats=board.seats, boss=boss, defaults={"game": board.game, "version": version}
    )
    if is_new:
        reporting.promoted(board, version, boss)
