"""Exhibitions: what they cost, and the match of the day."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import Count, Sum
from django.db.models.functions import Now

from ladder.contract.exhibitions import DayMatch, ExhibitionUsage
from ladder.models import Exhibition, Match, Worker
from ladder.queries.matches import rows

WINDOW = timedelta(hours=1)


def usage() -> ExhibitionUsage:
    """What exhibitions of the last hour used, as a share of what the workers' processes have."""
    recent = Exhibition.objects.filter(created_at__gt=Now() - WINDOW).order_by()
    used = recent.aggregate(cpu_us=Sum("cpu_us", default=0), matches=Count("pk"))
    processes = settings.WORKERS * Worker.objects.alive().filter(problem="").count()
    cpu_s = used["cpu_us"] / 1_000_000
    return ExhibitionUsage(
        cpu_s=cpu_s,
        matches=used["matches"],
        processes=processes,
        share=100 * cpu_s / (WINDOW.total_seconds() * processes) if processes else 0.0,
        limit=settings.EXHIBITION_SHARE,
    )


def match_of_the_day() -> DayMatch | None:
    """The newest that has been played."""
    played = Exhibition.objects.filter(day__isnull=False, match__status=Match.Status.FINISHED)
    newest = played.order_by("-day").values_list("day", "match").first()
    if newest is None:
        return None
    day, match = newest
    return DayMatch(day=day, match=rows([match])[0])
