"""Versions of bots, and trials between two of them."""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from ladder.contract import bots as contract
from ladder.contract.bots import TAB_LANGUAGES, Check, Report, ShownVersion, Source
from ladder.contract.remote import LANGUAGE
from ladder.contract.trials import ShownTrial, Trial, TrialFilter
from ladder.models import Bot, Version
from ladder.models import Trial as TrialRow
from ladder.queries.bots import SHOWN
from ladder.queries.keyset import Cursor, Order, Page
from ladder.queries.values import Reading
from ladder.ratings import trial as gsprt
from sandbox.program import Program

ORDER = Order("", "-number")
NEWEST = Order("")
IN_A_TAB: dict[str, Any] = {"language__in": TAB_LANGUAGES, "is_bundle": False}


def _is_active(pk: int, active: int | None) -> bool:
    return pk == active


TOLD: dict[str, Any] = {
    "bot": "bot_id",
    "is_active": (_is_active, "id", "bot__active_version_id"),
    "parent": "parent__number",
}
VERSION = Reading(contract.Version, **TOLD)
SHOWN_VERSION = Reading(
    ShownVersion,
    **TOLD,
    of=(SHOWN, "bot"),
    same_as="same_as_id",
    same_as_words=(
        lambda name, number: f"{name} v{number}" if name else "",
        *("same_as__bot__name", "same_as__number"),
    ),
)


def page(bot: int, at: Cursor | None, size: int) -> Page[contract.Version]:
    """A bot's versions, newest first."""
    return VERSION.page(Version.objects.filter(bot=bot), ORDER, at, size)


def show(bot: int, number: int) -> contract.Version | None:
    return VERSION.first(Version.objects.filter(bot=bot, number=number))


def of_bot(bot: int) -> list[ShownVersion]:
    return SHOWN_VERSION(Version.objects.filter(bot=bot).order_by("-number"))


def accepted_of(bot: int) -> list[ShownVersion]:
    """Those that passed the gate, newest first."""
    return SHOWN_VERSION(Version.objects.accepted().filter(bot=bot).order_by("-number"))


def find(bot: int, number: int) -> ShownVersion | None:
    return SHOWN_VERSION.first(Version.objects.filter(bot=bot, number=number))


def by_id(pk: int, game: str) -> ShownVersion | None:
    """A version of a game's bots."""
    return SHOWN_VERSION.first(Version.objects.filter(pk=pk, bot__game=game))


def newest(bot: int) -> ShownVersion | None:
    return SHOWN_VERSION.first(Version.objects.filter(bot=bot).order_by("-number"))


def own_in_a_tab(owner: int, game: str, count: int) -> list[ShownVersion]:
    """The newest accepted versions of a user's bots that a browser's tab can run."""
    own = list(Bot.objects.filter(owner=owner, game=game).values_list("pk", flat=True))
    found = Version.objects.accepted().filter(bot__in=own, **IN_A_TAB)
    return SHOWN_VERSION(found.order_by("-id")[:count])


def public_in_a_tab(game: str, count: int) -> list[ShownVersion]:
    """Of the newest bots that play and whose source is public, the versions a tab can run."""
    bots = Bot.objects.playing().filter(game=game, is_source_public=True, is_house=False)
    newest = list(bots.order_by("-id").values_list("active_version_id", flat=True)[:count])
    return SHOWN_VERSION(Version.objects.filter(pk__in=newest, **IN_A_TAB).order_by("bot__name"))


def check(pk: int) -> Check | None:
    """A version with what the gate said of it, or is about."""
    found = Version.objects.filter(pk=pk)
    version = SHOWN_VERSION.first(found)
    if version is None:
        return None
    data = found.values_list("report", flat=True)[0]
    return Check(version=version, report=_report(version.status, data), progress=_progress(data))


def report(version: ShownVersion) -> Report:
    data = Version.objects.filter(pk=version.id).values_list("report", flat=True)[0]
    return _report(version.status, data)


def _report(status: Any, data: dict[str, Any]) -> Report:
    return Report(status=status, verdict=data.get("verdict", ""), rows=data.get("rows", []))


def _progress(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data.get("progress") or {}
    return found


def program(version: int) -> Program | None:
    """What it is made of, as the sandbox takes it; None for a remote bot's."""
    row = Version.objects.only("source", "language", "is_bundle").get(pk=version)
    if row.language == LANGUAGE:
        return None
    return row.program()


def source(version: ShownVersion) -> Source | None:
    """Its source as the API answers it; None for a remote bot's."""
    file = program(version.id)
    if file is None:
        return None
    content = file.content if file.is_text else b64encode(file.content)
    return Source(
        filename=version.filename,
        source=content.decode(),
        encoding="utf-8" if file.is_text else "base64",
    )


def other_numbers(version: ShownVersion, count: int) -> list[int]:
    """Of the bot's other versions, newest first."""
    others = Version.objects.filter(bot=version.bot).exclude(pk=version.id)
    return list(others.order_by("-number").values_list("number", flat=True)[:count])


def newest_by_bot(bots: Sequence[int]) -> dict[int, ShownVersion]:
    """By bot, the version uploaded last."""
    return SHOWN_VERSION.by("bot_id", Version.objects.filter(bot__in=bots).order_by("number"))


def benched_by_bot(bots: Sequence[int]) -> dict[int, ShownVersion]:
    """The newest benched version of each bot that has one."""
    found = Version.objects.filter(bot__in=bots, benched_at__isnull=False)
    return SHOWN_VERSION.by("bot_id", found.order_by("number"))


@lru_cache(maxsize=256)
def _standing(counts: tuple[int, ...], cap: int) -> gsprt.Trial:
    return gsprt.Trial(counts or (0,) * 5, cap=cap)


def _of_standing(take: Any) -> tuple[Any, str, str]:
    def read(counts: list[int], cap: int) -> float | None:
        value: float = take(_standing(tuple(counts), cap))
        return value if math.isfinite(value) else None

    return read, "counts", "cap"


TRIAL_TOLD: dict[str, Any] = {
    "bot": "bot_id",
    "old": "old__number",
    "new": "new__number",
    "pairs": (sum, "counts"),
    "attempt": "attempt",
    "provable_elo": _of_standing(lambda one: one.provable_elo),
    "elo": _of_standing(lambda one: one.elo),
    "elo_low": _of_standing(lambda one: one.elo_interval[0]),
    "elo_high": _of_standing(lambda one: one.elo_interval[1]),
    "superiority": _of_standing(lambda one: one.superiority),
}
TRIAL = Reading(Trial, **TRIAL_TOLD)
SHOWN_TRIAL = Reading(ShownTrial, **TRIAL_TOLD, of=(SHOWN, "bot"))


def trials(asked: TrialFilter, at: Cursor | None, size: int) -> Page[Trial]:
    """Trials, newest first."""
    found = _trials()
    if asked.bot is not None:
        found = found.filter(bot=asked.bot)
    if asked.status is not None:
        found = found.filter(status=asked.status)
    return TRIAL.page(found, NEWEST, at, size)


def trial(pk: int) -> Trial | None:
    return TRIAL.first(_trials().filter(pk=pk))


def shown_trial(pk: int) -> ShownTrial | None:
    return SHOWN_TRIAL.first(_trials().filter(pk=pk))


def newest_trials(bot: int, count: int) -> list[ShownTrial]:
    return SHOWN_TRIAL(_trials().filter(bot=bot).order_by("-id")[:count])


def _trials() -> QuerySet[Any]:
    """With `attempt`: how many trials of the same two versions there were, this one included."""
    same = Q(old=OuterRef("old"), new=OuterRef("new")) | Q(old=OuterRef("new"), new=OuterRef("old"))
    so_far = (
        TrialRow.objects.filter(same, bot=OuterRef("bot"), pk__lte=OuterRef("pk"))
        .order_by()
        .values("bot")
        .annotate(count=Count("pk"))
        .values("count")
    )
    return TrialRow.objects.annotate(attempt=Subquery(so_far))
