"""A page of a list costs the same however long the list is, by every filter and ordering."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.utils import timezone

from ladder.models import Event
from ladder.queries import events
from tests import servers
from tests.ladder.queries import lists
from tests.ladder.queries.reading import rows_read

ASK = "import django; django.setup(); from tests.ladder.queries import lists; lists.main()"


@pytest.mark.django_db
def test_no_list_of_the_schema_reads_more_on_a_larger_site():
    assert lists.growing(100, 20) == {}


def test_every_filter_and_ordering_of_the_schema_is_tried():
    tried = list(lists.combinations_of_the_schema())

    assert len(set(tried)) == len(tried) > 250
    assert {asked.path.split("/")[3] for asked in tried} == {
        *("boards", "bots", "daily-deals", "datasets", "matches", "puzzles"),
        *("replays", "tokens", "tournaments", "trials", "users"),
    }
    replays = [asked for asked in tried if asked.path == lists.REPLAYS]
    assert len({name for asked in replays for name, _ in asked.query}) == 11
    with_parameters = {
        path
        for path, methods in lists.schema()["paths"].items()
        if any(one["in"] == "query" for one in methods.get("get", {}).get("parameters", []))
    }
    assert with_parameters - {asked.path for asked in tried} == lists.ELSEWHERE.keys()


@pytest.mark.django_db
def test_the_stream_reads_no_more_after_a_hundred_times_the_events():
    def write(count: int) -> int:
        now = timezone.now()
        rows = (
            Event(kind="bot.ranked", audience="public", at=now, facts={}, is_news=True)
            for _ in range(count)
        )
        Event.objects.bulk_create(rows)
        return Event.objects.order_by("pk").values_list("pk", flat=True)[0]

    first = write(50)
    before = [rows_read(lambda: events.after(first, 20)), rows_read(events.ends)]
    write(5000)

    after = [rows_read(lambda: events.after(first, 20)), rows_read(events.ends)]

    assert all(late <= 1.2 * early + 5 for early, late in zip(before, after, strict=True))


@pytest.mark.services
def test_nor_does_one_on_postgresql(tmp_path):
    with servers.postgres(tmp_path / "pg") as postgres:
        url = f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        told = subprocess.run(
            [sys.executable, "-c", ASK],
            cwd=servers.ROOT,
            env=servers.product_environment(
                tmp_path / "var", DATABASE_URL=url, LADLE_RATE_USER="1000000/min"
            ),
            capture_output=True,
            text=True,
        )

    assert (told.returncode, told.stdout) == (0, ""), told.stderr[-3000:]
