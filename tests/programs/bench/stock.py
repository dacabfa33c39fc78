"""A site with a long history, made quickly: some matches by models, the rest copied in SQL."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

from django.core.management.color import no_style
from django.db import connections, models, transaction
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from ladder.boards import BOARDS, Board
from ladder.models import Bot, Entry, Match, Play, Rating, RatingChange, Tick, User, Version
from ladder.services.rating import fitting
from tests.factories import first_change

BOARD = Board("ramen_ramen", 2)
TICK_MATCHES = 4
HASH = "0" * 64


class Database:
    """One of several SQLite files that can each be the default database, connection kept open."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = connections.create_connection("default")
        self._connection.settings_dict = {**self._connection.settings_dict, "NAME": str(path)}
        self._results: dict[Board, Any] = {}  # what its scheduler keeps between ticks

    @contextmanager
    def in_use(self) -> Iterator[None]:
        before, kept = connections["default"], fitting._kept
        connections["default"], fitting._kept = self._connection, self._results
        try:
            yield
        finally:
            connections["default"], fitting._kept = before, kept

    def twin(self, path: Path) -> Database:
        """An independent copy in another file."""
        with self._connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        shutil.copyfile(self.path, path)
        return Database(path)

    def close(self) -> None:
        self._connection.close()


def make_bots(count: int) -> list[Bot]:
    """Bots with an accepted version and a settled rating on BOARD."""
    owners = User.objects.bulk_create(User(username=f"author{n}") for n in range(count // 10))
    bots = Bot.objects.bulk_create(
        Bot(
            owner=owners[n // 10],
            game=BOARD.game,
            name=f"Bot {n}",
            seat_counts=[BOARD.seats],
            is_public=True,
        )
        for n in range(count)
    )
    versions = Version.objects.bulk_create(
        Version(
            bot=bot,
            number=1,
            language="py",
            source="sources/none.py",
            size=1,
            sha256=HASH,
            status=Version.Status.ACCEPTED,
        )
        for bot in bots
    )
    for bot, version in zip(bots, versions, strict=True):
        bot.active_version = version
    own = Version.objects.filter(bot=OuterRef("pk")).values("pk")[:1]
    Bot.objects.update(active_version=Subquery(own))
    Rating.objects.bulk_create(
        Rating(
            game=BOARD.game,
            seats=BOARD.seats,
            bot=bot,
            version=bot.active_version,
            milli=1_000_000 + 137 * n % 800_000,
            low_milli=960_000 + 137 * n % 800_000,
            high_milli=1_040_000 + 137 * n % 800_000,
            variance=400.0,
            sets=50,
            plays=100,
            score_sum=25,
            is_provisional=False,
            band=n // 100,
            last_played_at=timezone.now(),
        )
        for n, bot in enumerate(bots)
    )
    return bots


def make_matches(bots: list[Bot], count: int) -> None:
    """Finished and rated ladder matches between neighbours, in ticks."""
    now = timezone.now() - timedelta(days=1)
    ticks = Tick.objects.bulk_create(
        Tick(game=BOARD.game, seats=BOARD.seats, number=n + 1, applied_at=now)
        for n in range(count // TICK_MATCHES)
    )
    matches = Match.objects.bulk_create(
        Match(
            kind=Match.Kind.LADDER,
            game=BOARD.game,
            seats=BOARD.seats,
            seed=n,
            status=Match.Status.FINISHED,
            priority=3,
            why="Both waited longest.",
            attempt=1,
            started_at=now,
            finished_at=now,
            tick=ticks[n // TICK_MATCHES],
        )
        for n in range(count)
    )
    seated = [
        (match, slot, bots[(2 * n + slot) % len(bots)])
        for n, match in enumerate(matches)
        for slot in range(2)
    ]
    Entry.objects.bulk_create(
        Entry(
            match=match,
            slot=slot,
            bot=bot,
            version_id=bot.active_version_id,
            place=slot + 1,
            score=1 - slot,
            points=20 - slot,
            decisions=60,
            rating_milli=1_200_000,
        )
        for match, slot, bot in seated
    )
    Play.objects.bulk_create(
        Play(
            match=match,
            index=slot,
            seating=[slot, 1 - slot],
            places=[1, 2],
            points=[20, 19],
            reason="last bowl served",
            decisions=60,
            digest=HASH,
            replay="replays/none.json.gz",
        )
        for match, slot, _ in seated
    )
    ratings = {rating.version_id: rating for rating in Rating.objects.all()}
    RatingChange.objects.bulk_create(
        first_change(
            tick=match.tick,
            rating=ratings[bot.active_version_id],
            milli=1_200_000 + 5000 * (1 - 2 * slot),
            low_milli=1_160_000,
            high_milli=1_240_000,
            sets=1,
            plays=2,
            score_sum=1 - slot,
            points_sum=39,
            points_square_sum=761,
        )
        for match, slot, bot in seated
    )


def multiply_matches(times: int) -> None:
    """Repeat the whole history of matches until it is so many times as long."""
    matches, ticks = Match.objects.count(), Tick.objects.count()
    connection = connections["default"]
    with connection.constraint_checks_disabled(), transaction.atomic():
        _repeat(Tick, times, {"id": ticks, "number": ticks})
        _repeat(Match, times, {"id": matches, "seed": matches, "tick_id": ticks})
        for model in (Entry, Play):
            _repeat(model, times, {"id": model.objects.count(), "match_id": matches})
        _repeat(RatingChange, times, {"id": RatingChange.objects.count(), "tick_id": ticks})
        for board in BOARDS:
            RatingChange.objects.add_up(Rating.objects.on(board).values_list("pk", flat=True))
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            # What was just written is not to be moved to its place while others are measured.
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return
        for words in connection.ops.sequence_reset_sql(
            no_style(), [Tick, Match, Entry, Play, RatingChange]
        ):
            cursor.execute(words)
        cursor.execute("ANALYZE")


def _repeat(model: type[models.Model], times: int, shifts: dict[str, int]) -> None:
    """Copy all rows of a table times - 1 times over, some columns moved on by each copy."""
    fields: list[Any] = list(model._meta.local_fields)
    columns = ", ".join(f'"{field.column}"' for field in fields)
    values = ", ".join(
        f'"{field.column}" + copy * {shifts[field.column]}'
        if field.column in shifts
        else f'"{field.column}"'
        for field in fields
    )
    table = model._meta.db_table
    with connections["default"].cursor() as cursor:
        cursor.execute(
            f'INSERT INTO "{table}" ({columns}) WITH RECURSIVE copies(copy) AS'
            f" (SELECT 1 UNION ALL SELECT copy + 1 FROM copies WHERE copy < {times - 1})"
            f' SELECT {values} FROM copies, "{table}"'
        )
