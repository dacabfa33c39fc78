"""Events reach notices and webhooks across kill -9 of the process that hands them on."""

from __future__ import annotations

import json
import threading
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tests import servers
from tests.ladder.events.receiver import Receiver
from tests.ladder.events.streaming import write_events
from tests.servers import wait_until

SET_UP = """
from tests.factories import make_user
from ladder.services.notices import wishes
from ladder.services.webhooks import hooks
from ladder.models import Follow
user = make_user("reader")
for board in ("ramen_ramen/2", "ramen_ramen/3"):
    wishes.follow(user=user, subject="board", target=board)
hooks.create(user=user, url="{url}", format="standard")
"""
EXPIRE = """
from ladder.models import Delivery
Delivery.objects.exclude(due_at=None).update(due_at="2026-01-01T00:00Z")
"""
COUNT = """
import json
from ladder.models import Delivery, Event, Notice
print(json.dumps([Event.objects.count(), Notice.objects.count(),
    Notice.objects.values("event").distinct().count(),
    Delivery.objects.filter(state="delivered").count()]))
"""


def survive(folder: Path, count: int, kills: int, **settings: str) -> dict[str, int]:
    """Write events while the scheduler is killed; what came of them."""
    environment = servers.product_environment(
        folder / "var",
        LADLE_WEBHOOK_ALLOW_LOOPBACK="1",
        LADLE_SCHEDULER_PERIOD_MS="200",
        LADLE_LOG_LEVEL="WARNING",
        **settings,
    )
    servers.manage(environment, "migrate", "-v0")
    with Receiver() as receiver:
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        servers.manage(environment, "shell", "-v0", "-c", SET_UP.format(url=receiver.url))
        scheduler = servers.scheduler(environment, folder / "scheduler.log")
        scheduler.start()
        each = count // (kills + 1)
        for number in range(kills + 1):
            write_events(environment, number * each, each, each=3)
            if number < kills:
                seen = len(receiver.got)
                wait_until(lambda: len(receiver.got) > seen, 60, "some are delivered")  # noqa: B023
                scheduler.kill_group()
                # What was being sent is sent again after its lease, and its subject waits for it.
                servers.manage(environment, "shell", "-v0", "-c", EXPIRE)
                scheduler.start()

        def counts() -> list[int]:
            return json.loads(servers.manage(environment, "shell", "-v0", "-c", COUNT))

        wait_until(
            lambda: counts()[3] == each * (kills + 1), 120, lambda: f"all delivered: {counts()}"
        )
        scheduler.stop()
        receiver.shutdown()
        ids = [headers["webhook-id"] for headers, _ in receiver.got]
        data = [json.loads(body)["data"] for _, body in receiver.got]
        by_bot: dict[int, dict[int, None]] = {}
        for event in data:
            by_bot.setdefault(event["bots"][0]["id"], {})[event["rank"]] = None
        events, notices, told, delivered = counts()
    by_id = Counter(ids)
    return {
        "events": events,
        "notices": notices,
        "noticed events": told,
        "delivered": delivered,
        "ids": len(by_id),
        "requests": len(ids),
        "subjects": len(by_bot),
        "out of order": sum(a > b for ranks in by_bot.values() for a, b in pairwise(ranks)),
    }


def check(found: dict[str, int], count: int) -> None:
    assert found["events"] == found["notices"] == found["noticed events"] == count
    assert found["delivered"] == found["ids"] == count
    assert (found["subjects"], found["out of order"]) == (3, 0)
    assert found["requests"] - count <= 4, "only what was under way is sent again"


def test_every_event_is_told_once_and_delivered_under_one_id(tmp_path: Path) -> None:
    check(survive(tmp_path, 150, kills=2), 150)


@pytest.mark.services
@pytest.mark.slow
def test_nor_is_any_lost_on_postgresql(tmp_path: Path) -> None:
    with servers.postgres(tmp_path / "pg") as postgres:
        url = f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        check(survive(tmp_path, 1000, kills=4, DATABASE_URL=url), 1000)
