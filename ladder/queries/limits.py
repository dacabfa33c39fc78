"""How much a user has of what is limited: services count it, forms tell it beforehand."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
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
    Tournament,
    Trial,
    Version,
)

OVER = (Tournament.Status.FINISHED, Tournament.Status.CANCELLED)


@dataclass(frozen=True, slots=True)
class Limit:
    """Rows that count, how many there may be, and what to say when there are so many."""

    rows: QuerySet[Any]
    most: int
    sentence: str  # with {count}, the limit

    @property
    def reached(self) -> str:
        """What to say at the limit."""
        return self.sentence.format(count=self.most)

    @property
    def used(self) -> int:
        return self.rows.count()

    @property
    def left(self) -> int:
        return max(0, self.most - self.used)

    @property
    def is_reached(self) -> bool:
        return not self.left


def bots(owner: int) -> Limit:
    return Limit(
        Bot.objects.filter(owner=owner).exclude(status=Bot.Status.RETIRED),
        settings.MAX_BOTS_PER_USER,
        "You have reached the limit of {count} bots. Retire one first.",
    )


def uploads(owner: int) -> Limit:
    return Limit(
        Version.objects.filter(bot__owner=owner, created_at__gte=_day_ago()),
        settings.MAX_UPLOADS_PER_DAY,
        "You have reached the limit of {count} uploads per day. Try again later.",
    )


def challenges(user: int) -> Limit:
    kinds = (Match.Kind.CHALLENGE, Match.Kind.REMOTE)
    made = Match.objects.filter(kind__in=kinds, created_by=user)
    return Limit(
        made.filter(created_at__gte=_day_ago()),
        settings.MAX_CHALLENGES_PER_DAY,
        "You have reached the limit of {count} challenges per day. Try again later.",
    )


def remote_matches_of_pair(bot: int, other: int) -> Limit:
    """Matches in which two bots met, one of them remote."""
    met = Match.objects.filter(kind=Match.Kind.REMOTE, created_at__gte=_day_ago())
    return Limit(
        met.filter(entries__bot=bot).filter(entries__bot=other),
        settings.MAX_REMOTE_PER_PAIR,
        "These two bots have reached the limit of {count} matches per day. Try again later.",
    )


def remote_matches_of_owner(owner: int) -> Limit:
    """Matches of all remote bots of an owner that the owner or the schedule asked for.

    Those that others ask for are limited by theirs: they must not use up the owner's day.
    """
    asked = Q(created_by=owner) | Q(created_by=None)
    own = Match.objects.filter(asked, kind=Match.Kind.REMOTE, created_at__gte=_day_ago())
    return Limit(
        own.filter(entries__bot__owner=owner, entries__bot__remote__isnull=False).distinct(),
        settings.MAX_REMOTE_PER_OWNER,
        "Your remote bots have reached the limit of {count} matches per day. Try again later.",
    )


def open_remote_matches(user: int) -> Limit:
    """Tables with remote bots that a user has asked for and that are not over."""
    kinds = Match.objects.filter(kind=Match.Kind.REMOTE, created_by=user)
    return Limit(
        kinds.filter(status__in=[Match.Status.QUEUED, Match.Status.RUNNING]),
        settings.MAX_OPEN_REMOTE_PER_USER,
        "You have {count} matches with remote bots under way, which is the limit. Wait until one"
        " has ended.",
    )


def people_tables() -> Limit:
    """Tables of people on this site that are not over."""
    return Limit(
        SharedTable.objects.filter(play=None, created_at__gte=_day_ago()),
        settings.MAX_PEOPLE_TABLES,
        "All {count} tables for people are in use. Try again later.",
    )


def people_tables_among(tables: Collection[int]) -> Limit:
    """Of these tables, made from one address, those that are not over: a quarter of all at most."""
    return Limit(
        people_tables().rows.filter(pk__in=tables),
        max(1, settings.MAX_PEOPLE_TABLES // 4),
        "{count} tables that were made from your address are still open. Finish one, or try again"
        " tomorrow.",
    )


def trials(user: int) -> Limit:
    return Limit(
        Trial.objects.filter(created_by=user, created_at__gte=_day_ago()),
        settings.MAX_TRIALS_PER_DAY,
        "You have reached the limit of {count} trials per day. Try again later.",
    )


def tournaments(organiser: int) -> Limit:
    return Limit(
        Tournament.objects.filter(organiser=organiser).exclude(status__in=OVER),
        settings.MAX_TOURNAMENTS_PER_USER,
        "You have reached the limit of {count} open tournaments. Finish or cancel one first.",
    )


def analyses(user: int) -> Limit:
    return Limit(
        PlayAnalysis.objects.filter(requested_by=user, created_at__gte=_day_ago()),
        settings.MAX_ANALYSES_PER_DAY,
        "You have reached the limit of {count} server analyses a day. Analyse it in your browser.",
    )


def guest_plays() -> Limit:
    return Limit(
        KeptPlay.objects.filter(owner=None),
        settings.MAX_GUEST_PLAYS,
        "The site holds {count} plays of guests, which is its limit. Sign in to keep yours.",
    )


def kept_plays(owner: int) -> Limit:
    return Limit(
        KeptPlay.objects.filter(owner=owner),
        settings.MAX_KEPT_PLAYS,
        "You have reached the limit of {count} saved games. Remove one from your page first.",
    )


def drafts(owner: int) -> Limit:
    return Limit(
        Draft.objects.filter(owner=owner),
        settings.MAX_DRAFTS,
        "You have reached the limit of {count} drafts. Delete one under My bots, Drafts.",
    )


def shared_drafts(owner: int) -> Limit:
    return Limit(
        SharedDraft.objects.filter(owner=owner),
        settings.MAX_SHARED_DRAFTS,
        "You have reached the limit of {count} shared links. End one under My bots, Drafts.",
    )


def _day_ago() -> datetime:
    return timezone.now() - timedelta(days=1)
