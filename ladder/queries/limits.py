"""How much a user has of what is limited: services count it, forms show it beforehand."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum, auto
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from ladder.models import (
    Bot,
    Draft,
    KeptPlay,
    Match,
    PlayAnalysis,
    SharedDraft,
    SharedTable,
    Token,
    Tournament,
    Trial,
    Version,
)

MAX_TOKENS = 50
OVER = (Tournament.Status.FINISHED, Tournament.Status.CANCELLED)


class Quota(StrEnum):
    """What is limited."""

    TOKENS = auto()
    BOTS = auto()
    UPLOADS = auto()
    CHALLENGES = auto()
    REMOTE_MATCHES_OF_PAIR = auto()
    REMOTE_MATCHES_OF_OWNER = auto()
    OPEN_REMOTE_MATCHES = auto()
    PEOPLE_TABLES = auto()
    PEOPLE_TABLES_AMONG = auto()
    TRIALS = auto()
    TOURNAMENTS = auto()
    ANALYSES = auto()
    GUEST_PLAYS = auto()
    KEPT_PLAYS = auto()
    DRAFTS = auto()
    SHARED_DRAFTS = auto()


@dataclass(frozen=True, slots=True)
class Limit:
    """How much a user may have of something, and has; counted whenever it is asked."""

    quota: Quota
    _rows: QuerySet[Any]
    most: int

    @property
    def used(self) -> int:
        return self._rows.count()

    @property
    def left(self) -> int:
        return max(0, self.most - self.used)

    @property
    def is_reached(self) -> bool:
        return not self.left


def tokens(user: int) -> Limit:
    """Tokens of a user's programs that still work."""
    return Limit(Quota.TOKENS, Token.objects.unexpired().filter(user=user), MAX_TOKENS)


def bots(owner: int) -> Limit:
    return Limit(
        Quota.BOTS,
        Bot.objects.filter(owner=owner).exclude(status=Bot.Status.RETIRED),
        settings.MAX_BOTS_PER_USER,
    )


def uploads(owner: int) -> Limit:
    return Limit(
        Quota.UPLOADS,
        Version.objects.filter(bot__owner=owner, created_at__gte=_day_ago()),
        settings.MAX_UPLOADS_PER_DAY,
    )


def challenges(user: int) -> Limit:
    kinds = (Match.Kind.CHALLENGE, Match.Kind.REMOTE)
    made = Match.objects.filter(kind__in=kinds, created_by=user)
    return Limit(
        Quota.CHALLENGES,
        made.filter(created_at__gte=_day_ago()),
        settings.MAX_CHALLENGES_PER_DAY,
    )


def remote_matches_of_pair(bot: int, other: int, *, rated: bool = False) -> Limit:
    """Matches in which two bots met, one of them remote; or only the rated ones.

    Challenges do not use up the rated ones: nobody must be able to choose who meets whom.
    """
    met = Match.objects.filter(kind=Match.Kind.REMOTE, created_at__gte=_day_ago())
    if rated:
        met = met.filter(sitting__is_rated=True)
    return Limit(
        Quota.REMOTE_MATCHES_OF_PAIR,
        met.filter(entries__bot=bot).filter(entries__bot=other),
        settings.MAX_REMOTE_PER_PAIR,
    )


def remote_matches_of_owner(owner: int) -> Limit:
    """Matches of all remote bots of an owner that the owner or the schedule asked for.

    Those that others ask for are limited by theirs: they must not use up the owner's day.
    """
    asked = Q(created_by=owner) | Q(created_by=None)
    own = Match.objects.filter(asked, kind=Match.Kind.REMOTE, created_at__gte=_day_ago())
    return Limit(
        Quota.REMOTE_MATCHES_OF_OWNER,
        own.filter(entries__bot__owner=owner, entries__bot__remote__isnull=False).distinct(),
        settings.MAX_REMOTE_PER_OWNER,
    )


def open_remote_matches(user: int) -> Limit:
    """Tables with remote bots that a user has asked for and that are not over."""
    kinds = Match.objects.filter(kind=Match.Kind.REMOTE, created_by=user)
    return Limit(
        Quota.OPEN_REMOTE_MATCHES,
        kinds.filter(status__in=[Match.Status.QUEUED, Match.Status.RUNNING]),
        settings.MAX_OPEN_REMOTE_PER_USER,
    )


def people_tables() -> Limit:
    """Tables of people on this site that are not over."""
    return Limit(Quota.PEOPLE_TABLES, _open_tables(), settings.MAX_PEOPLE_TABLES)


def people_tables_among(tables: Collection[int]) -> Limit:
    """Of these tables, made from one address, those that are not over: a quarter of all at most."""
    return Limit(
        Quota.PEOPLE_TABLES_AMONG,
        _open_tables().filter(pk__in=tables),
        max(1, settings.MAX_PEOPLE_TABLES // 4),
    )


def trials(user: int) -> Limit:
    return Limit(
        Quota.TRIALS,
        Trial.objects.filter(created_by=user, created_at__gte=_day_ago()),
        settings.MAX_TRIALS_PER_DAY,
    )


def tournaments(organiser: int) -> Limit:
    return Limit(
        Quota.TOURNAMENTS,
        Tournament.objects.filter(organiser=organiser).exclude(status__in=OVER),
        settings.MAX_TOURNAMENTS_PER_USER,
    )


def analyses(user: int) -> Limit:
    return Limit(
        Quota.ANALYSES,
        PlayAnalysis.objects.filter(requested_by=user, created_at__gte=_day_ago()),
        settings.MAX_ANALYSES_PER_DAY,
    )


def guest_plays() -> Limit:
    return Limit(
        Quota.GUEST_PLAYS,
        KeptPlay.objects.filter(owner=None),
        settings.MAX_GUEST_PLAYS,
    )


def kept_plays(owner: int) -> Limit:
    return Limit(
        Quota.KEPT_PLAYS,
        KeptPlay.objects.filter(owner=owner),
        settings.MAX_KEPT_PLAYS,
    )


def drafts(owner: int) -> Limit:
    return Limit(
        Quota.DRAFTS,
        Draft.objects.filter(owner=owner),
        settings.MAX_DRAFTS,
    )


def shared_drafts(owner: int) -> Limit:
    return Limit(
        Quota.SHARED_DRAFTS,
        SharedDraft.objects.filter(owner=owner),
        settings.MAX_SHARED_DRAFTS,
    )


def _open_tables() -> QuerySet[SharedTable]:
    return SharedTable.objects.filter(play=None, created_at__gte=_day_ago())


def _day_ago() -> datetime:
    return timezone.now() - timedelta(days=1)
