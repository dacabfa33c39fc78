"""A database of 0.1.0 becomes one of today, with nothing lost."""

import subprocess
import sys

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tests import servers

BEFORE, AFTER = [("ladder", "0001_initial")], [("ladder", "0002_one_rating")]
FROM_THE_START = """
import django
django.setup()
from tests.ladder.operation import test_migration_of_ratings as upgrading
upgrading.upgrade(upgrading.migrate(upgrading.BEFORE))
print(upgrading.connection.vendor)
"""


def migrate(target):
    executor = MigrationExecutor(connection)
    executor.migrate(target)
    return MigrationExecutor(connection).loader.project_state(target).apps


@pytest.fixture
def old(transactional_db):
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes("ladder")
    yield migrate(BEFORE)
    migrate(newest)


def a_rating(old, number, **fields):
    user = old.get_model("ladder", "User").objects.create(username=f"user{number}")
    bot = old.get_model("ladder", "Bot").objects.create(
        owner=user, game="ramen_ramen", name=f"Bot {number}", seat_counts=[2]
    )
    version = old.get_model("ladder", "Version").objects.create(
        bot=bot, number=1, language="py", source="x.py", size=1, sha256="0" * 64
    )
    return old.get_model("ladder", "Rating").objects.create(
        game="ramen_ramen", seats=2, bot=bot, version=version, start_milli=1_500_000, **fields
    )


def upgrade(old):
    """What a rating and a step of its history were, made and then looked at again."""
    fitted = a_rating(old, 1, milli=1_700_000, fitted=1612.5, fitted_error=20.0, sets=40, plays=80)
    a_rating(old, 2, milli=1_480_000)
    tick = old.get_model("ladder", "Tick").objects.create(game="ramen_ramen", seats=2, number=1)
    old.get_model("ladder", "RatingChange").objects.create(
        tick=tick,
        rating=fitted,
        before_milli=1_690_000,
        delta_milli=10_000,
        games_before=40,
        games_gained=4,
        sets=2,
        plays=4,
        score_sum=1.5,
        points_sum=30,
        points_square_sum=500,
    )

    new = migrate(AFTER)

    one, other = new.get_model("ladder", "Rating").objects.order_by("pk")
    assert (one.milli, one.low_milli, one.high_milli) == (1_612_500, 1_573_300, 1_651_700)
    assert (one.variance, one.sets, one.plays) == (400.0, 40, 80)
    assert (other.milli, other.low_milli) == (1_480_000, 1_080_000)
    change = new.get_model("ladder", "RatingChange").objects.get()
    assert (change.milli, change.sets, change.score_sum) == (1_700_000, 2, 1.5)
    assert change.is_provisional is False


def test_the_fit_becomes_the_rating_and_the_history_stays(old):
    upgrade(old)


@pytest.mark.services
def test_the_same_on_postgresql(tmp_path):
    with servers.postgres(tmp_path / "pg") as postgres:
        url = f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        told = subprocess.run(
            [sys.executable, "-c", FROM_THE_START],
            cwd=servers.ROOT,
            env=servers.product_environment(tmp_path / "var", DATABASE_URL=url),
            capture_output=True,
            text=True,
        )

    assert (told.returncode, told.stdout) == (0, "postgresql\n"), told.stderr
