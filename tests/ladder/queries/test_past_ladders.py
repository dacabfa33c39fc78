"""A ladder of the past costs what the present one does, however long the history."""

from __future__ import annotations

from functools import partial
from random import Random

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Sum
from django.test import Client

from ladder.models import Rating, RatingChange, Tick
from ladder.models.rating import COUNTERS
from ladder.services import matches, scheduling
from ladder.services.rating import fitting, rating_log
from tests.factories import DUEL, make_bot
from tests.ladder.queries.reading import rows_read
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db

LADDER = f"/api/v1/boards/{DUEL.game}/{DUEL.seats}/ladder/"


def lengthen_history(ticks: int) -> None:
    """Everybody on the board plays in so many more ticks."""
    last = Tick.objects.on(DUEL).count()
    made = Tick.objects.bulk_create(
        Tick(game=DUEL.game, seats=DUEL.seats, number=number, applied_at="2026-01-01T00:00Z")
        for number in range(last + 1, last + ticks + 1)
    )
    values = {"low_milli": 1_400_000, "high_milli": 1_600_000, "is_provisional": False}
    RatingChange.objects.bulk_create(
        RatingChange(
            tick=tick,
            rating=rating,
            milli=1_500_000 + rating.pk,
            **values,
            **dict.fromkeys(COUNTERS, 1),
            **{f"total_{name}": tick.number for name in COUNTERS},
        )
        for tick in made
        for rating in Rating.objects.on(DUEL)
    )


def test_a_past_ladder_reads_no_more_after_a_hundred_times_the_history(client: Client) -> None:
    for _ in range(6):
        make_bot()
    lengthen_history(20)
    before = rows_read(lambda: client.get(f"{LADDER}?tick=19"))

    lengthen_history(1980)

    for tick in (19, 1000, 1999):
        path = f"{LADDER}?tick={tick}"
        assert rows_read(partial(client.get, path)) <= 1.2 * before
        assert [row["sets"] for row in client.get(path).json()["results"]] == [tick] * 6


def test_totals_are_sums_whatever_the_order_of_ticks_and_after_a_strike() -> None:
    for _ in range(4):
        make_bot()
    first, second = (scheduling.create_tick(DUEL, Random(seed)) for seed in range(2))
    for tick in (second, first):
        for match in tick.matches.all():
            assert play_and_finish(match)
        assert fitting.rate_ready_ticks() == [tick]
    matches.void(first.matches.first(), "a test")
    fitting.rate_ready_ticks()

    changes = RatingChange.objects.filter(tick=second)

    assert changes.exists()
    for change in changes:
        until = change.rating.changes.filter(tick__lte=second)
        sums = until.aggregate(**{f"total_{name}": Sum(name) for name in COUNTERS})
        assert {name: getattr(change, name) for name in sums} == pytest.approx(sums)
    assert list(rating_log.verify(DUEL)) == []


def test_verify_finds_a_total_that_was_changed_by_hand() -> None:
    make_bot(), make_bot()
    tick = scheduling.create_tick(DUEL, Random(0))
    for match in tick.matches.all():
        assert play_and_finish(match)
    fitting.rate_ready_ticks()
    assert list(rating_log.verify(DUEL)) == []

    RatingChange.objects.update(total_sets=99)

    assert list(rating_log.verify(DUEL))


@pytest.mark.django_db(transaction=True)
def test_the_migration_adds_up_the_history_of_the_last_release() -> None:
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes("ladder")
    MigrationExecutor(connection).migrate([("ladder", "0016_match_by_end")])
    try:
        old = (
            MigrationExecutor(connection)
            .loader.project_state([("ladder", "0016_match_by_end")])
            .apps
        )
        add_old_history(old)
    finally:
        MigrationExecutor(connection).migrate(newest)

    totals = RatingChange.objects.order_by("rating", "tick").values_list(
        "total_sets", "total_plays"
    )

    assert list(totals) == [(1, 2), (3, 6), (6, 12), (1, 2), (3, 6), (6, 12)]
    RatingChange.objects.all().delete()


def add_old_history(old) -> None:
    models = {name: old.get_model("ladder", name) for name in ("User", "Bot", "Version", "Rating")}
    user = models["User"].objects.create(username="author")
    for name in ("One", "Two"):
        bot = models["Bot"].objects.create(
            owner=user, game=DUEL.game, name=name, seat_counts=[DUEL.seats]
        )
        version = models["Version"].objects.create(
            bot=bot, number=1, language="py", source="x.py", size=1, sha256="0" * 64
        )
        models["Rating"].objects.create(
            game=DUEL.game,
            seats=DUEL.seats,
            bot=bot,
            version=version,
            milli=0,
            low_milli=0,
            high_milli=0,
            variance=1,
        )
    for number in (1, 2, 3):
        tick = old.get_model("ladder", "Tick").objects.create(
            game=DUEL.game, seats=DUEL.seats, number=number
        )
        for rating in models["Rating"].objects.all():
            old.get_model("ladder", "RatingChange").objects.create(
                tick=tick,
                rating=rating,
                milli=0,
                low_milli=0,
                high_milli=0,
                is_provisional=False,
                sets=number,
                plays=2 * number,
                score_sum=1,
                points_sum=1,
                points_square_sum=1,
            )
