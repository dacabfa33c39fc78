"""Daily deals, their tables, and how a user does at them."""

from __future__ import annotations

from datetime import UTC, date, timedelta
from typing import Any

import msgspec
from django.db.models import Q, QuerySet
from django.utils import timezone

from ladder.contract.people import (
    DailyDeal,
    DailyDealDetail,
    DailyFilter,
    DailyResult,
    DailyTry,
    HouseResult,
)
from ladder.models import DailyDeal as DealRow
from ladder.models import DailyTry as TryRow
from ladder.queries.keyset import Cursor, Order, Page
from ladder.queries.values import Reading

MOST_ROWS = 100
MOST_DAYS = 400  # looked at for a streak
ORDER = Order("", "-id")


def _house(found: list[dict[str, Any]]) -> list[HouseResult]:
    return msgspec.convert(found, list[HouseResult])


DEAL = Reading(DailyDeal, house=(_house, "house"))
RESULT = Reading(DailyResult, user="user__username")
TRY = Reading(DailyTry, deal="deal_id")


def today() -> date:
    return timezone.now().astimezone(UTC).date()


def page(asked: DailyFilter, at: Cursor | None, size: int) -> Page[DailyDeal]:
    """Deals, newest first."""
    found = DealRow.objects.all()
    if asked.game is not None:
        found = found.filter(game=asked.game)
    return DEAL.page(found, ORDER, at, size)


def of_today() -> list[DailyDeal]:
    """The deals of this day, one for each game that has one already."""
    return DEAL(DealRow.objects.filter(day=today()).order_by("game"))


def of_game(game: str, day: date | None = None) -> DailyDeal | None:
    return DEAL.first(DealRow.objects.filter(day=day or today(), game=game).order_by())


def detail(pk: int) -> DailyDealDetail | None:
    deal = DEAL.first(DealRow.objects.filter(pk=pk))
    if deal is None:
        return None
    fields = {name: getattr(deal, name) for name in DailyDeal.__struct_fields__}
    return DailyDealDetail(**fields, results=table(pk))


def table(deal: int) -> list[DailyResult]:
    """The counted tries at a deal, best first: place, lead, then who was earlier."""
    rows = _finished(deal).order_by("place", "-lead", "finished_at")
    return RESULT(rows[:MOST_ROWS])


def own(user: int, deals: list[int]) -> dict[int, DailyTry]:
    """A user's tries at these deals, with their ranks."""
    tries = TRY(TryRow.objects.filter(user=user, deal__in=deals))
    return {
        one.deal: msgspec.structs.replace(one, rank=rank(one.deal, one.place, one.lead))
        for one in tries
    }


def rank(deal: int, place: int | None, lead: int | None) -> int | None:
    """One more than there are better tries; None for one that is not over."""
    if place is None or lead is None:
        return None
    better = Q(place__lt=place) | Q(place=place, lead__gt=lead)
    return _finished(deal).filter(better).count() + 1


def count(deal: int) -> int:
    return _finished(deal).count()


def streak(user: int) -> int:
    """Days in a row, up to today or yesterday, on which a user finished a deal."""
    days = TryRow.objects.filter(user=user, finished_at__isnull=False).order_by("-day")
    found = list(dict.fromkeys(days.values_list("day", flat=True)[:MOST_DAYS]))
    expected, length = today(), 0
    if found and found[0] != expected:
        expected -= timedelta(days=1)
    for day in found:
        if day != expected:
            break
        length, expected = length + 1, expected - timedelta(days=1)
    return length


def _finished(deal: int) -> QuerySet[TryRow]:
    return TryRow.objects.filter(deal=deal, finished_at__isnull=False, user__is_active=True)
