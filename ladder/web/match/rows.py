"""Lists of matches, newest first, paged by seeking: constant cost however many there are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Entry, Match
from ladder.templatetags.site import ago_text

PAGE = 30
FIELDS = ("id", "kind", "game", "seats", "status", "created_at", "finished_at")


@dataclass(frozen=True, slots=True)
class MatchPage:
    rows: list[dict[str, Any]]
    older: int | None  # the id to seek from
    newer: int | None


@cache
def board_title(game: str, seats: int) -> str:
    return Board(game, seats).title


def latest(matches: QuerySet[Match], count: int) -> list[dict[str, Any]]:
    return with_entries(matches.order_by("-id").values(*FIELDS)[:count])


def of_bot(bot: int, count: int) -> list[dict[str, Any]]:
    # Leans on the index entry_by_bot, which is in match order.
    seated = (
        Entry.objects.filter(bot=bot)
        .exclude(match__kind=Match.Kind.CHECK)
        .exclude(match__pairing__tournament__is_public=False)
    )
    ids = list(seated.order_by("-match_id").values_list("match_id", flat=True)[: 2 * count])
    return with_entries(Match.objects.filter(pk__in=ids).order_by("-id").values(*FIELDS)[:count])


def page(
    filters: dict[str, Any], bot: int | None, after: int | None, before: int | None
) -> MatchPage:
    """A page below the id `after`, or above the id `before`, or the newest."""
    found = _ids(filters, bot, after, before)
    more, ids = len(found) > PAGE, found[:PAGE]
    if before is not None:
        ids.reverse()
    rows = with_entries(Match.objects.filter(pk__in=ids).order_by("-id").values(*FIELDS))
    older = ids[-1] if ids and (more or before is not None) else None
    newer = ids[0] if ids and (after is not None or (before is not None and more)) else None
    return MatchPage(rows, older, newer)


def _ids(
    filters: dict[str, Any], bot: int | None, after: int | None, before: int | None
) -> list[int]:
    if bot is None:
        plain = {name: value for name, value in filters.items() if name != "status"}
        matches, key = Match.objects.listed().filter(**plain), "id"
        if "status" in filters:
            matches = matches.in_status(filters["status"])
    else:
        # From the bot's own entries, in match order: a bot has few of all matches.
        named = {f"match__{name}": value for name, value in filters.items()}
        matches = (
            Entry.objects.filter(bot=bot, **named)
            .exclude(match__kind=Match.Kind.CHECK)
            .exclude(match__pairing__tournament__is_public=False)
        )
        key = "match_id"
    if before is not None:
        matches = matches.filter(**{f"{key}__gt": before}).order_by(key)
    else:
        if after is not None:
            matches = matches.filter(**{f"{key}__lt": after})
        matches = matches.order_by(f"-{key}")
    # A bot may sit at a table twice, in a trial of its versions.
    return list(dict.fromkeys(matches.values_list(key, flat=True)[: PAGE + 1]))


def with_entries(matches: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add to each match who played it: one query for all."""
    rows = list(matches)
    entries = defaultdict(list)
    for entry in (
        Entry.objects.filter(match__in=[row["id"] for row in rows])
        .order_by("match_id", "slot")
        .values("match_id", "slot", "bot_id", "bot__name", "version__number", "place", "gain_milli")
    ):
        entries[entry["match_id"]].append(entry)
    now = timezone.now()
    for row in rows:
        row["board"] = board_title(row["game"], row["seats"])
        row["entries"] = entries[row["id"]]
        places = [entry["place"] for entry in row["entries"] if entry["place"] is not None]
        best = min(places, default=None) if len(set(places)) > 1 else None
        for entry in row["entries"]:
            entry["won"] = best is not None and entry["place"] == best
        when = row["finished_at"] or row["created_at"]
        row["moment"], row["ago"] = when.isoformat(timespec="seconds"), ago_text(when, now)
    return rows
