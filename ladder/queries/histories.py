"""How the ratings of a bot moved.

Of each rating no more than a page is walked through: however long a bot has played, a page of its
history reads a page of each of its ratings at most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection

from ladder.contract.bots import Change
from ladder.models import Rating, RatingChange
from ladder.queries.bots import CHANGE
from ladder.queries.keyset import Cursor, Order, Page, cut

ORDER = Order("-tick_id", "-id", int)
MOST_PARTS = 400  # SQLite puts no more than 500 together


def history(
    bot: int, at: Cursor | None, size: int, *, seats: int | None = None, version: int | None = None
) -> Page[Change]:
    """Its changes, newest first; on one board, or of one version."""
    found = Rating.objects.filter(bot=bot)
    if seats is not None:
        found = found.filter(seats=seats)
    if version is not None:
        found = found.filter(version__number=version)
    ratings = list(found.values_list("pk", flat=True))
    places: list[tuple[int, int]] = []
    for start in range(0, len(ratings), MOST_PARTS):
        places += _nearest(ratings[start : start + MOST_PARTS], at, size + 1)
    places.sort(reverse=at is None or not at.is_back)
    page = cut(places[: size + 1], at, size, keys=lambda place: place)
    stored = RatingChange.objects.filter(pk__in=[pk for _, pk in page.rows]).order_by()
    changes = CHANGE.by("pk", stored)
    return page.of(lambda place: changes[place[1]])


def _nearest(ratings: Sequence[int], at: Cursor | None, count: int) -> list[tuple[int, int]]:
    """Tick and id of the changes of each rating that lie nearest beyond the cursor.

    Written out as SQL: a seek for each rating, where one query for all would read their history.
    """
    is_back = at is not None and at.is_back
    comes, passed, way = (">=", "<=", "ASC") if is_back else ("<=", ">=", "DESC")
    beyond, place = "", []
    if at is not None:
        beyond = f"AND tick_id {comes} %s AND NOT (tick_id = %s AND id {passed} %s)"
        place = [at.key, at.key, at.id]
    part = (
        f"SELECT * FROM (SELECT tick_id, id FROM {RatingChange._meta.db_table} WHERE rating_id = %s"
        f" {beyond} ORDER BY tick_id {way}, id {way} LIMIT {int(count)}) AS part"
    )
    values: list[Any] = [value for rating in ratings for value in (rating, *place)]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join([part] * len(ratings)), values)
        rows: list[tuple[int, int]] = cursor.fetchall()
    return rows
