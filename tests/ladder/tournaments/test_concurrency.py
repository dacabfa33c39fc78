"""Advancing from several places at once on a real PostgreSQL makes everything exactly once."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests import servers
from tests.servers import ROOT, manage, product_environment

pytestmark = [pytest.mark.services]

# Every thread plays what it can claim and advances, again and again, against all the others.
RACE = """
import json, threading
from collections import Counter
from django.db import connection
from ladder.models import Match, Pairing, Tournament
from ladder.services import tournaments
from tests.ladder.tournaments.events import make_tournament, enter, started
from tests.local_play import record_of
from ladder.services import matches

cups = [make_tournament(format=name) for name in ("swiss", "double_elimination")]
for cup in cups:
    enter(cup, 8)
barrier = threading.Barrier(6)
problems = []

def begin(cup):
    try:
        started(cup)
    except Exception as error:
        return getattr(error, "code", repr(error))

def race(number):
    try:
        barrier.wait()
        refused = [begin(cup) for cup in cups]
        assert set(refused) <= {None, "tournament_begun"}, refused
        for _ in range(400):
            claimed = Match.all_objects.claim_next(f"thread {number}")
            if claimed is not None:
                matches.finish(claimed, record_of(claimed))
            for cup in cups:
                tournaments.advance(cup)
            if not Tournament.objects.filter(status="running").exists():
                break
    except Exception as error:
        problems.append(repr(error))
    finally:
        connection.close()

threads = [threading.Thread(target=race, args=[number]) for number in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(json.dumps({
    "problems": problems,
    "status": list(Tournament.objects.values_list("status", flat=True)),
    "open": Match.objects.open().count(),
    "sets": Match.objects.count(),
    "places": Match.objects.values("pairing", "number").distinct().count(),
    "records": [tournaments.as_record(cup) for cup in Tournament.objects.all()],
}))
"""


@pytest.fixture
def environment(tmp_path):
    with servers.postgres(tmp_path / "postgres") as postgres:
        environment = product_environment(
            tmp_path / "var", DATABASE_URL=f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        )
        manage(environment, "migrate", "-v", "0")
        yield environment


def test_six_threads_that_start_play_and_advance_at_once_make_everything_once(
    environment, tmp_path
):
    told = json.loads(manage(environment, "shell", "-v", "0", "-c", RACE).splitlines()[-1])

    assert told["problems"] == []
    assert told["status"] == ["finished", "finished"]
    assert told["open"] == 0
    assert told["sets"] == told["places"]
    for number, record in enumerate(told["records"]):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(record))
        words = [sys.executable, "-m", "ladder.cli", "verify", "--tournament", path]
        done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
