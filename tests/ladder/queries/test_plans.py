"""No question reads what it need not: no scan or sort that grows with a board or the history."""

from __future__ import annotations

import subprocess
import sys

import pytest
from django.db import connection

from tests import servers
from tests.ladder.queries import plans

ASK = "import django; django.setup(); from tests.ladder.queries import plans; plans.main()"


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="reads the plans of SQLite")
def test_on_sqlite_no_question_reads_all_there_is():
    plans.make_history()

    bad = plans.wasteful()
    assert not bad, "\n\n".join(f"{name}: {found[0]}" for name, found in bad.items())


@pytest.mark.django_db
def test_every_question_is_looked_at_or_excused():
    plans.make_history(rows=20)

    assert plans.unasked() == set()


@pytest.mark.services
def test_on_postgresql_no_question_reads_all_there_is(tmp_path):
    with servers.postgres(tmp_path / "pg") as postgres:
        url = f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        environment = servers.product_environment(tmp_path / "var", DATABASE_URL=url)
        told = subprocess.run(
            [sys.executable, "-c", ASK],
            cwd=servers.ROOT,
            env=environment,
            capture_output=True,
            text=True,
        )

    assert (told.returncode, told.stdout) == (0, ""), told.stderr
