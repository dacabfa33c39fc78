"""Whatever is killed, every match ends exactly once and the ratings follow from the log."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from tests import servers
from tests.servers import Server, manage, product_environment, wait_until

pytestmark = [pytest.mark.services, pytest.mark.jail]

LEASE_SECONDS = "3"
MATCHES = 24

BOTS = """
from ladder.boards import Board
from ladder.services import scheduling, bots
from ladder.models import Bot, User
from tests.factories import make_bot, make_user
from random import Random
house = make_user("house")
make_bot(house, name="House Random", house_slug="random")
# Slow enough to be caught at play.
slow = "import random, time\\ndef decide(view):\\n    time.sleep(0.01)\\n"
slow += "    return random.choice(view['legal'])\\n"
for number in range(6):
    make_bot(seat_counts=[2], source=slow)
for number in range({ticks}):
    scheduling.create_tick(Board("ramen_ramen", 2), Random(number))
"""

CENSUS = """
import json
from collections import Counter
from ladder.models import Match, Play, Rating, RatingChange, Tick
from django.db.models import Count
print(json.dumps({
    "status": Counter(Match.objects.values_list("status", flat=True)),
    "plays": Play.objects.count(),
    "attempts": sum(m.attempt for m in Match.objects.all()),
    "unapplied": Tick.objects.unapplied().count(),
    "changes": RatingChange.objects.count(),
    "doubled": RatingChange.objects.values("tick", "rating").annotate(n=Count("pk"))
        .filter(n__gt=1).count(),
    "running": list(Match.objects.running().values_list("pk", flat=True)),
    "created": Match.objects.count(),
}))
"""


class Site:
    """A product with its processes, seen through its own commands."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment = environment
        self.folder = folder

    def shell(self, code: str) -> str:
        return manage(self.environment, "shell", "-v", "0", "-c", code)

    def census(self) -> dict:
        return json.loads(self.shell(CENSUS).splitlines()[-1])

    def finished(self) -> int:
        return self.census()["status"].get("finished", 0)

    def worker(self) -> Server:
        return servers.worker(self.environment, self.folder / "worker.log")

    def scheduler(self) -> Server:
        return servers.scheduler(self.environment, self.folder / "scheduler.log")


def kill_mid_match(site: Site, server: Server) -> None:
    """SIGKILL a Celery worker and its child while the child plays."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    wait_until(lambda: children.read_text().split(), 60, "the worker has a child")
    child = children.read_text().split()[0]
    plays = f"Match.objects.running().filter(worker__endswith='/{child}').exists()"
    code = f"from ladder.models import Match; print({plays})"
    server.kill_group_when(lambda: "True" in site.shell(code), 240, "the child plays")


def assert_sound(site: Site) -> None:
    census = site.census()
    assert census["status"] == {"finished": census["created"]}
    assert census["plays"] == 2 * census["created"]
    assert census["attempts"] > census["created"], "a killed match was tried again"
    assert census["doubled"] == 0
    assert census["unapplied"] == 0
    assert "0 differences" in manage(site.environment, "ratings", "--verify")


def all_finished(site: Site) -> bool:
    census = site.census()
    return not census["unapplied"] and census["status"] == {"finished": census["created"]}


@pytest.fixture
def site_on_servers(tmp_path):
    with ExitStack() as stack:
        redis = stack.enter_context(servers.redis(tmp_path / "redis"))
        postgres = stack.enter_context(servers.postgres(tmp_path / "postgres"))
        database = f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        environment = product_environment(
            tmp_path / "var",
            DATABASE_URL=database,
            REDIS_URL=f"redis://127.0.0.1:{redis.port}/0",
            LADLE_LEASE_SECONDS=LEASE_SECONDS,
            LADLE_QUEUE_TARGET="1",
        )
        manage(environment, "migrate", "-v", "0")
        site = Site(environment, tmp_path)
        site.redis, site.database = redis, database
        yield site


def test_redis_and_postgresql_with_a_worker_killed_redis_restarted_and_connections_cut(
    site_on_servers,
):
    site = site_on_servers
    site.shell(BOTS.format(ticks=MATCHES // 4))
    with ExitStack() as stack:
        first, second, scheduler = site.worker(), site.worker(), site.scheduler()
        for server in (first, second, scheduler):
            server.start()
            stack.callback(server.stop)

        wait_until(lambda: site.finished() >= 2, 120, "two matches are finished")
        kill_mid_match(site, first)
        wait_until(lambda: site.finished() >= 4, 120, "the other worker goes on")
        site.redis.stop()
        site.redis.start()
        wait_until(lambda: site.finished() >= 8, 120, "matches go on after Redis came back")
        with psycopg.connect(site.database, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )

        wait_until(lambda: site.finished() >= MATCHES, 180, "all planned matches are finished")
        stop_new_ticks(site)
        wait_until(lambda: all_finished(site), 120, "nothing is open")

    assert_sound(site)


def test_the_embedded_default_with_its_worker_killed_twice(tmp_path):
    environment = product_environment(
        tmp_path / "var", LADLE_LEASE_SECONDS=LEASE_SECONDS, LADLE_QUEUE_TARGET="1"
    )
    manage(environment, "migrate", "-v", "0")
    site = Site(environment, tmp_path)
    site.shell(BOTS.format(ticks=3))
    with ExitStack() as stack:
        stack.enter_context(servers.private_redis(environment))
        scheduler = site.scheduler()
        scheduler.start()
        stack.callback(scheduler.stop)
        for goal in (2, 5):
            doomed = site.worker()
            doomed.start()
            stack.callback(doomed.stop)
            wait_until(lambda goal=goal: site.finished() >= goal, 120, f"{goal} finished")
            kill_mid_match(site, doomed)
        survivor = site.worker()
        survivor.start()
        stack.callback(survivor.stop)
        wait_until(lambda: site.finished() >= 12, 180, "the planned matches are finished")
        stop_new_ticks(site)
        wait_until(lambda: all_finished(site), 120, "nothing is open")

    assert_sound(site)


def stop_new_ticks(site: Site) -> None:
    """Every version has nothing left to learn, so that the scheduler lets the queue run dry."""
    site.shell(
        "from ladder.models import Rating; Rating.objects.update(is_listed=False)",
    )
