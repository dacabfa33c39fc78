"""Tournaments of real sandboxed bots on the embedded default, whose worker is killed twice."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from tests import servers
from tests.servers import ROOT, Server, manage, product_environment, wait_until

pytestmark = [pytest.mark.services, pytest.mark.jail]

START = """
from ladder.boards import Board
from ladder.models import Rating
from ladder.services import tournaments
from tests.factories import house_source, make_bot, make_user
organiser = make_user("organiser")
tournament = tournaments.create(
    by=organiser, board=Board("ramen_ramen", 2), name="Survivors", format="{format}",
    format_options={options}, max_entrants={entrants},
)
for number in range({entrants}):
    short = ["random", "greedy"][number % 2]
    source = f"# {{number}}\\n{{house_source('ramen_ramen', short)}}{slow}"
    bot = make_bot(name=f"{{short}} {{number}}", seat_counts=[2], source=source)
    tournaments.enrol(tournament=tournament, bot=bot, by=bot.owner)
Rating.objects.update(is_listed=False)  # the ladder rests meanwhile
tournaments.start(tournament=tournament, by=organiser)
"""

# They take their time, so that a kill always finds more to be played.
SLOW = r"\nquick = decide\ndef decide(view):\n    sum(range(60_000))\n    return quick(view)\n"

EXPORT = """
import json
from ladder.models import Tournament
from ladder.services import tournaments
print(json.dumps(tournaments.as_record(Tournament.objects.get())))
"""


class Site:
    """The product on SQLite and a private Redis; its rows are read beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = product_environment(
            folder / "var",
            LADLE_LEASE_SECONDS="3",
            LADLE_QUEUE_TARGET="1",
            LADLE_SCHEDULER_PERIOD_MS="100",
        )
        manage(self.environment, "migrate", "-v", "0")

    def shell(self, code: str) -> str:
        return manage(self.environment, "shell", "-v", "0", "-c", code)

    def ask(self, query: str, *values: object) -> list[tuple]:
        path = f"file:{self.folder / 'var' / 'ladle.sqlite3'}?mode=ro"
        with closing(sqlite3.connect(path, uri=True, timeout=20)) as connection:
            return connection.execute(query, values).fetchall()

    def finished(self) -> int:
        return self.ask("SELECT count(*) FROM ladder_match WHERE status = 'finished'")[0][0]

    def is_over(self) -> bool:
        return self.ask("SELECT status FROM ladder_tournament") == [("finished",)]

    def worker(self) -> Server:
        return servers.worker(self.environment, self.folder / "worker.log")

    def kill_mid_match(self, server: Server, *, after: int) -> None:
        """SIGKILL a Celery worker and its child while the child plays, some sets being over."""
        children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")

        def is_time() -> bool:
            found = self.ask("SELECT worker_name FROM ladder_match WHERE status = 'running'")
            pids = children.read_text().split()
            plays = any(pid in re.split(r"\W", name) for (name,) in found for pid in pids)
            return plays and self.finished() >= after

        server.kill_group_when(is_time, 300, f"the worker's child plays, {after} sets over")


@pytest.mark.parametrize(
    ("format", "options", "entrants", "sets"),
    [
        ("swiss", {"rounds": 3}, 8, 12),
        pytest.param("swiss", {"rounds": 6}, 32, 96, marks=pytest.mark.slow),
        pytest.param("double_elimination", {}, 16, 30, marks=pytest.mark.slow),
    ],
)
def test_a_tournament_ends_and_its_record_holds_though_its_worker_is_killed_twice(
    tmp_path, format, options, entrants, sets
):
    site = Site(tmp_path)
    site.shell(START.format(format=format, options=options, entrants=entrants, slow=SLOW))
    with ExitStack() as stack:
        stack.enter_context(servers.private_redis(site.environment))
        scheduler = servers.scheduler(site.environment, tmp_path / "scheduler.log")
        scheduler.start()
        stack.callback(scheduler.stop)
        for goal in (sets // 6, sets // 2):
            doomed = site.worker()
            doomed.start()
            stack.callback(doomed.stop)
            site.kill_mid_match(doomed, after=goal)
        survivor = site.worker()
        survivor.start()
        stack.callback(survivor.stop)
        wait_until(site.is_over, 600, "the tournament is over")

    assert_each_set_was_counted_once(site, at_least=sets)
    record = site.shell(EXPORT).splitlines()[-1]
    assert {one["outcome"] for one in json.loads(record)["tables"]} == {"played"}
    assert_proven(tmp_path, record)


def assert_each_set_was_counted_once(site: Site, *, at_least: int) -> None:
    status = site.ask("SELECT status, count(*), sum(attempt) FROM ladder_match GROUP BY status")
    ((word, finished, attempts),) = status
    assert word == "finished"
    assert finished >= at_least
    assert attempts > finished, "a killed match was tried again"
    places = site.ask("SELECT count(DISTINCT pairing_id || '/' || number) FROM ladder_match")
    assert places == [(finished,)]
    assert site.ask("SELECT count(*) FROM ladder_play") == [(2 * finished,)]


def assert_proven(folder: Path, record: str) -> None:
    (folder / "tournament.json").write_text(record)
    words = [sys.executable, "-m", "ladder.cli", "verify", "--tournament"]
    done = subprocess.run(
        [*words, folder / "tournament.json"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "all from the secret committed to" in done.stdout
