"""Analyses that the server has stored or is asked for."""

from __future__ import annotations

import gzip
from dataclasses import dataclass

from django.db.models import Q

from ladder.models import Entry, Exhibition, Match, PlayAnalysis
from ladder.models.study.analysis import PlayAnalysisQuerySet, editions

FINAL = "Final"
MOST_AHEAD = 500


@dataclass(frozen=True, slots=True)
class StoredAnalysis:
    """How far the analysis of a play has come."""

    status: str
    why: str
    ahead: int  # analyses that were asked for earlier and are not done
    problem: str
    is_stored: bool  # even while it is done again, and after that has failed
    is_stale: bool  # what is stored is by an earlier analyst


def of_play(play: int) -> StoredAnalysis | None:
    """The analysis of a play, or None where nobody has asked for it."""
    rows = PlayAnalysis.objects.filter(play=play).annotate(is_stored=Q(content__isnull=False))
    row = rows.values_list("pk", "status", "why", "problem", "is_stored", "edition").first()
    if row is None:
        return None
    pk, status, why, problem, is_stored, edition = row
    ahead = 0
    if status == PlayAnalysis.Status.QUEUED:
        ahead = len(_open().filter(pk__lt=pk).values_list("pk")[:MOST_AHEAD])
    is_stale = is_stored and edition not in editions()
    return StoredAnalysis(status, why, ahead, problem, is_stored, is_stale)


def text_of(play: int) -> bytes | None:
    """The JSON of the newest one that was finished, also while it is done again."""
    rows = PlayAnalysis.objects.filter(play=play)
    content = rows.values_list("content", flat=True).first()
    return None if content is None else gzip.decompress(content)


def count_waiting(most: int) -> int:
    """How many are not done, counted up to `most`."""
    return len(_open().values_list("pk")[:most])


def reason_for(match: int, first_matches: int) -> str | None:
    """Why a finished match is analysed without being asked; None where it is not."""
    rows = Match.objects.filter(pk=match).order_by().values_list("kind", "pairing__label")
    kind, label = next(iter(rows), ("", None))
    if kind == Match.Kind.TOURNAMENT:
        return "tournament final" if label == FINAL else None
    if kind == Match.Kind.EXHIBITION:
        held = Exhibition.objects.filter(match=match, day__isnull=False)
        return "match of the day" if held.exists() else None
    if kind != Match.Kind.LADDER:
        return None
    entries = Entry.objects.filter(match=match, bot__is_house=False)
    for version in entries.values_list("version", flat=True):
        earlier = Entry.objects.filter(version=version, match__lt=match).values_list("pk")
        if len(earlier[:first_matches]) < first_matches:
            return "first matches of a version"
    return None


def _open() -> PlayAnalysisQuerySet:
    return PlayAnalysis.objects.filter(
        status__in=[PlayAnalysis.Status.QUEUED, PlayAnalysis.Status.RUNNING]
    ).order_by("pk")
