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
LOOKED_BACK = 7  # days, for a match of the day that has been played


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
    # The few newest days first: by the status of their matches all matches would be read.
    held = Exhibition.objects.filter(day__isnull=False).order_by("-day")
    newest = list(held.values_list("day", "match")[:LOOKED_BACK])
    found = Match.objects.filter(pk__in=[match for _, match in newest]).order_by()
    played = set(found.finished().values_list("pk", flat=True))
    for day, match in newest:
        if day is not None and match in played:
            return DayMatch(day=day, match=rows([match])[0])
    return None
