"""Datasets that were made, and the matches that they are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import msgspec
from django.utils import timezone

from ladder.contract.datasets import (
    Dataset,
    DatasetFile,
    DatasetFilter,
    PlayedMatch,
    StoredDatasetFile,
)
from ladder.models import Dataset as DatasetRow
from ladder.models import Match, Play, Progress
from ladder.queries.keyset import Cursor, Order, Page
from ladder.queries.matches import RECEIPT, STORED, with_entries
from ladder.queries.values import Reading, midnight

NEWEST = Order("", "-id")
SEALED_UP_TO = "datasets sealed"
AT_ONCE = 100  # matches in memory


def _files(stored: list[dict[str, Any]]) -> list[DatasetFile]:
    return msgspec.convert(stored, list[DatasetFile])


DATASET = Reading(Dataset, files=(_files, "files"))


def page(asked: DatasetFilter, at: Cursor | None, size: int) -> Page[Dataset]:
    """Datasets, newest first."""
    named = {name: value for name, value in msgspec.structs.asdict(asked).items() if value}
    rows = DatasetRow.objects.filter(**named)
    if asked.period is not None:
        # Their ids first: a period has few, and SQLite would walk through all in order.
        few = DatasetRow.objects.filter(period=asked.period).order_by()
        rows = DatasetRow.objects.filter(pk__in=few.values("pk"), **named)
    return DATASET.page(rows, NEWEST, at, size)


def find(pk: int) -> Dataset | None:
    return DATASET.first(DatasetRow.objects.filter(pk=pk))


def file_of(pk: int, name: str) -> StoredDatasetFile | None:
    row = DatasetRow.objects.filter(pk=pk).first()
    for file in row.files if row else ():
        if row and file["name"] == name:
            return msgspec.convert(file | {"is_sealed": row.is_sealed}, StoredDatasetFile)
    return None


def first_unsealed_day() -> date | None:
    """The oldest day that is not sealed yet, or None while nothing was ever played."""
    done = Progress.objects.filter(name=SEALED_UP_TO).first()
    if done is not None:
        return done.finished_at.astimezone(UTC).date()
    ended = Match.objects.filter(finished_at__isnull=False).order_by("finished_at")
    first = ended.values_list("finished_at", flat=True).first()
    return first.astimezone(UTC).date() if first else None


def due_day() -> date | None:
    """The oldest day that can be sealed now, if there is one."""
    day = first_unsealed_day()
    return day if day is not None and is_over(day) else None


def is_over(day: date) -> bool:
    """Whether no match can still end on that day.

    A match ends on the day of the transaction that stores it, and until its commit it is running
    and was started before.
    """
    end = midnight(day + timedelta(days=1))
    if timezone.now() < end:
        return False
    # Of the few that run, by their own index: in no order, so that no other index tempts.
    running = Match.all_objects.running().order_by().values_list("started_at", flat=True)
    return not any(started is not None and started < end for started in running)


def played(start: datetime, end: datetime) -> Iterator[list[PlayedMatch]]:
    """What everyone may read of the matches that ended in a span, in that order, by batches."""
    moment, match = start, 0
    while True:
        ended = (
            Match.objects.visible_to(None)
            .ended_after(moment, match)
            .filter(finished_at__lt=end, status=Match.Status.FINISHED)
        )
        receipts = with_entries(RECEIPT(ended[:AT_ONCE]))
        if not receipts:
            return
        plays = defaultdict(list)
        rows = Play.objects.filter(match__in=[one.id for one in receipts])
        for play in STORED(rows.order_by("match_id", "index")):
            plays[play.match].append(play)
        yield [PlayedMatch(receipt=one, plays=plays[one.id]) for one in receipts]
        last = receipts[-1]
        assert last.finished_at is not None  # it has ended
        moment, match = last.finished_at, last.id
