"""Versions of bots, and trials between two of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from ladder.models import Bot, Trial, Version
from ladder.models.bot import VersionQuerySet


def versions() -> VersionQuerySet:
    return Version.objects.select_related("bot__owner", "parent").defer("report")


def versions_with_report() -> QuerySet[Version]:
    return Version.objects.select_related("bot__owner")


def of_bot(bot: Bot) -> VersionQuerySet:
    return versions().filter(bot=bot)


def accepted_of(bot: Bot) -> QuerySet[Version]:
    """Those that passed the gate, newest first."""
    return versions().accepted().filter(bot=bot).order_by("-number")


def find(bot: Bot, number: int) -> Version | None:
    return of_bot(bot).filter(number=number).first()


def newest(bot: Bot) -> Version | None:
    return of_bot(bot).order_by("-number").first()


def other_numbers(version: Version, count: int) -> list[int]:
    """Of the bot's other versions, newest first."""
    others = Version.objects.filter(bot=version.bot_id).exclude(pk=version.pk)
    return list(others.order_by("-number").values_list("number", flat=True)[:count])


def newest_by_bot(bots: Sequence[Bot]) -> dict[int, Version]:
    """By bot, the version uploaded last."""
    found = Version.objects.filter(bot__in=bots).defer("report").order_by("number")
    return {version.bot_id: version for version in found}


def benched_by_bot(bots: Sequence[Bot]) -> dict[int, Version]:
    """The newest benched version of each bot that has one."""
    found = Version.objects.filter(bot__in=bots, benched_at__isnull=False).defer("report")
    return {version.bot_id: version for version in found.order_by("number")}


def trials() -> QuerySet[Any]:
    """With `attempt`: how many trials of the same two versions there were, this one included."""
    same = Q(old=OuterRef("old"), new=OuterRef("new")) | Q(old=OuterRef("new"), new=OuterRef("old"))
    so_far = (
        Trial.objects.filter(same, bot=OuterRef("bot"), pk__lte=OuterRef("pk"))
        .order_by()
        .values("bot")
        .annotate(count=Count("pk"))
        .values("count")
    )
    return Trial.objects.select_related("bot__owner", "old", "new").annotate(
        attempt=Subquery(so_far)
    )


def newest_trials(bot: Bot, count: int) -> list[Trial]:
    return list(trials().filter(bot=bot).order_by("-id")[:count])
