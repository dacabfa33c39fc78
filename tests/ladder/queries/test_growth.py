"""The pages of bots and of what is on now read no more after ten times the matches."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests import servers
from tests.ladder.queries import growth

ASK = "import django; django.setup(); from tests.ladder.queries import growth; growth.main()"


@pytest.mark.django_db
def test_no_question_about_the_newest_matches_reads_more_of_a_longer_history():
    assert growth.growing() == {}


@pytest.mark.services
def test_nor_does_one_on_postgresql(tmp_path):
    with servers.postgres(tmp_path / "pg") as postgres:
        url = f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        told = subprocess.run(
            [sys.executable, "-c", ASK],
            cwd=servers.ROOT,
            env=servers.product_environment(tmp_path / "var", DATABASE_URL=url),
            capture_output=True,
            text=True,
        )

    assert (told.returncode, told.stdout) == (0, ""), told.stderr[-3000:]
