"""Looks through the results of each board for what honest play would hardly give.

It runs in the scheduler, a board at a time and rarely, over the newest sets: no page waits for it.
Operators read the findings and decide; nothing is punished by itself.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from statistics import fmean

import structlog
from django.db import transaction
from django.db.models import Q
from django.db.models.functions import Now

from ladder.boards import BOARDS, Board
from ladder.models import BoardFit, Finding, Match, Rating
from ladder.ratings.fairness import (
    LaterGap,
    Surplus,
    beyond_others,
    later_gaps,
    significant,
    surpluses,
)
from ladder.ratings.outcome import Outcome
from ladder.services.fairness.addresses import clusters
from ladder.services.rating.tick_results import read

log = structlog.get_logger(__name__)

LOOK_EVERY = timedelta(hours=6)
NEWEST_SETS = 20_000  # of a board
SHOWN = 50  # findings of a kind and board
REST = -1  # stands for the accounts linked to one
Kind = Finding.Kind


def look_at_due_board() -> Board | None:
    """Look at the board whose last look is oldest, if results came in since; which it was."""
    due = BoardFit.objects.filter(
        Q(looked_at=None) | Q(looked_at__lt=Now() - LOOK_EVERY), fitted_at__isnull=False
    )
    for fit in due.order_by("looked_at", "pk"):
        if fit.looked_at is None or fit.fitted_at is None or fit.fitted_at > fit.looked_at:
            look(Board(fit.game, fit.seats))
            return Board(fit.game, fit.seats)
    return None


def look(board: Board) -> list[Finding]:
    """Look through the newest sets of a board, and replace what was found there before."""
    matches = Match.all_objects.finished().filter(
        kind=Match.Kind.LADDER, game=board.game, seats=board.seats, tick__applied_at__isnull=False
    )
    newest = matches.order_by("-pk").values_list("pk", flat=True)[:NEWEST_SETS]
    oldest = min(newest, default=0)
    log_of = read(matches.filter(pk__gte=oldest), board)
    rows = {row.version_id: row for row in Rating.objects.on(board).select_related("bot")}
    known = [one for one in log_of.outcomes if rows.keys() >= set(one.entrants)]
    ratings = {version: row.elo + row.luck_milli / 1000 for version, row in rows.items()}
    bots = {v: row.bot_id for v, row in rows.items()}
    owners = {v: row.bot.owner_id for v, row in rows.items() if not row.is_anchor}
    found = [
        *_collusion(board, Kind.PAIR, surpluses(known, ratings, bots)),
        *_collusion(board, Kind.OWNERS, surpluses(_among(known, owners), ratings, owners)),
        *_collusion(board, Kind.LINKED, _linked(known, ratings, owners)),
    ]
    gaps = later_gaps(log_of.plays)
    found += _later(board, gaps, rows)
    found += _teams(board)
    with transaction.atomic():
        Finding.objects.filter(game=board.game, seats=board.seats).delete()
        Finding.objects.bulk_create(found)
        BoardFit.objects.filter(game=board.game, seats=board.seats).update(
            looked_at=Now(),
            later_versions=len(gaps),
            later_scatter=fmean(one.z**2 for one in gaps) if gaps else 1.0,
        )
    if found:
        log.warning("results that honest play hardly gives", board=str(board), count=len(found))
    return found


def _collusion(board: Board, kind: str, tested: Sequence[Surplus]) -> list[Finding]:
    """Of pairs of bots, of owners, or of an owner and the accounts linked to it."""
    ends = ("bot_id", "other_bot_id") if kind == Kind.PAIR else ("user_id", "other_user_id")
    rows = []
    for i, q in list(significant([one.z for one in tested]).items())[:SHOWN]:
        one = tested[i]
        named = dict(zip(ends, (one.who, one.beside), strict=True))
        rows.append(
            Finding(
                game=board.game,
                seats=board.seats,
                kind=kind,
                sets=one.sets,
                scored=one.scored,
                expected=one.expected,
                z=one.z,
                q=q,
                **{name: key for name, key in named.items() if key != REST},
            )
        )
    return rows


def _among(outcomes: Sequence[Outcome], groups: Mapping[int, int]) -> list[Outcome]:
    """The sets at which nobody sat but those in the groups."""
    return [one for one in outcomes if groups.keys() >= set(one.entrants)]


def _linked(
    outcomes: Sequence[Outcome], ratings: Mapping[int, float], owners: Mapping[int, int]
) -> list[Surplus]:
    """The surplus of each account beside all accounts that are linked to it, taken together."""
    members: dict[int, set[int]] = defaultdict(set)
    for owner, cluster in clusters().items():
        members[cluster].add(owner)
    found = []
    for accounts in members.values():
        for owner in accounts & set(owners.values()):
            groups = {
                version: owner if account == owner else REST
                for version, account in owners.items()
                if account in accounts
            }
            met = [
                one
                for one in outcomes
                if {owner, REST} <= {groups.get(key, 0) for key in one.entrants}
            ]
            every = surpluses(met, ratings, groups)
            found += [one for one in every if (one.who, one.beside) == (owner, REST)]
    return found


def _later(board: Board, gaps: Sequence[LaterGap], rows: Mapping[int, Rating]) -> list[Finding]:
    flagged = significant([max(0.0, one.z) for one in gaps])
    return [
        Finding(
            game=board.game,
            seats=board.seats,
            kind=Kind.LATER,
            version_id=gaps[i].who,
            bot_id=rows[gaps[i].who].bot_id,
            sets=gaps[i].sets,
            scored=gaps[i].later,
            expected=gaps[i].first,
            z=gaps[i].z,
            q=q,
        )
        for i, q in list(flagged.items())[:SHOWN]
        if gaps[i].who in rows
    ]


def _teams(board: Board) -> list[Finding]:
    """On a board of teams: versions that are better there than with a seat of their own."""
    alone = next((one for one in BOARDS if one.game == board.game and one.seats == 2), None)
    if not board.is_team or alone is None or alone.is_team:
        return []
    ranked = Rating.objects.filter(is_anchor=False, is_provisional=False)
    there = {row.version_id: row for row in ranked.filter(game=board.game, seats=alone.seats)}
    pairs = {
        row.version_id: (row, there[row.version_id])
        for row in ranked.on(board)
        if row.version_id in there
    }
    scores = beyond_others(
        {
            version: (team.elo - own.elo, math.sqrt(team.variance + own.variance))
            for version, (team, own) in pairs.items()
        }
    )
    keys = list(scores)
    flagged = significant([max(0.0, scores[key]) for key in keys])
    return [
        Finding(
            game=board.game,
            seats=board.seats,
            kind=Kind.TEAM,
            version_id=keys[i],
            bot_id=pairs[keys[i]][0].bot_id,
            sets=pairs[keys[i]][0].sets,
            scored=pairs[keys[i]][0].elo,
            expected=pairs[keys[i]][1].elo,
            z=scores[keys[i]],
            q=q,
        )
        for i, q in list(flagged.items())[:SHOWN]
    ]
