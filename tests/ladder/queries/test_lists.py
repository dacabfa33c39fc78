"""A page of a list costs the same however long the list is, by every filter and ordering."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests import servers
from tests.ladder.queries import lists

ASK = "import django; django.setup(); from tests.ladder.queries import lists; lists.main()"


@pytest.mark.django_db
def test_no_list_of_the_schema_reads_more_on_a_larger_site():
    assert lists.growing(100, 20) == {}


def test_every_filter_and_ordering_of_the_schema_is_tried():
    tried = list(lists.combinations_of_the_schema())

    assert len(set(tried)) == len(tried) > 250
    assert {asked.path.split("/")[3] for asked in tried} == {
        *("boards", "bots", "daily-deals", "datasets", "matches", "puzzles"),
        *("tokens", "tournaments", "trials", "users"),
    }


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
