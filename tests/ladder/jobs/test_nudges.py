"""The messages between web, scheduler and workers: none can kill a worker, and few ever wait."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty

import pytest
from kombu import Connection

import ladder.jobs.celery  # noqa: F401  registers the embedded transport
from tests import servers
from tests.servers import wait_until

QUEUE = "ladder"


@pytest.fixture
def channel(tmp_path: Path):
    folders = {"data_folder_in": tmp_path, "data_folder_out": tmp_path}
    options = {**folders, "control_folder": tmp_path / "control"}
    options = {name: str(folder) for name, folder in options.items()}
    with Connection("ladle://localhost", transport_options=options) as connection:
        yield connection.channel()


def test_half_a_message_is_dropped_and_the_next_is_read(channel, tmp_path):
    (tmp_path / f"1_torn.{QUEUE}.msg").write_text('{"body": "eyJ')
    (tmp_path / f"2_empty.{QUEUE}.msg").touch()
    channel._put(QUEUE, {"body": "whole"})

    assert channel._get(QUEUE) == {"body": "whole"}
    with pytest.raises(Empty):
        channel._get(QUEUE)
    assert not list(tmp_path.glob("*.msg"))


def test_a_torn_table_of_queues_is_written_anew(channel, tmp_path):
    (tmp_path / "control").mkdir()
    (tmp_path / "control" / "news.exchange").write_text('[["a", "", ')

    channel._queue_bind("news", "", "", "one")
    channel._queue_bind("news", "", "", "two")

    assert [binding.queue for binding in channel.get_table("news")] == ["two", "one"]


def test_readers_beside_writers_get_every_message_whole_and_once(channel):
    payloads = [{"body": "x" * 5000, "number": number} for number in range(300)]

    def read(_: int) -> list[int]:
        found = []
        for _ in range(400):
            try:
                found.append(channel._get(QUEUE)["number"])
            except Empty:
                continue
        return found

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read, number) for number in range(2)]
        list(threads.map(lambda payload: channel._put(QUEUE, payload), payloads))
        seen = [number for reader in readers for number in reader.result()]
    while True:
        try:
            seen.append(channel._get(QUEUE)["number"])
        except Empty:
            break

    assert sorted(seen) == list(range(300))


PILE = """
from ladder.services import nudges
for _ in range(10):
    nudges._send("ladder", 10)
print(nudges._waiting("ladder") == nudges.ENOUGH)
"""


@pytest.mark.services
@pytest.mark.parametrize("broker", ["embedded", "redis"])
def test_nudges_do_not_pile_up_while_nobody_listens(tmp_path, broker):
    with servers.redis(tmp_path / "redis") as redis:
        chosen = {"REDIS_URL": f"redis://127.0.0.1:{redis.port}/0"} if broker == "redis" else {}
        environment = servers.product_environment(tmp_path / "var", **chosen)

        assert servers.manage(environment, "shell", "-v0", "-c", PILE) == "True\n"


@pytest.mark.jail
def test_a_worker_survives_torn_messages(tmp_path):
    environment = servers.product_environment(tmp_path / "var")
    servers.manage(environment, "migrate", "-v0")
    queue = tmp_path / "var" / "broker" / "queue"
    worker = servers.worker(environment, tmp_path / "log")
    worker.start()
    try:
        wait_until(lambda: "ready" in (tmp_path / "log").read_text(), 60, "the worker is ready")
        for number in range(20):
            (queue / f"{number}_torn.{QUEUE}.msg").write_text('{"body"')
        wait_until(lambda: not list(queue.glob("*_torn*")), 30, "the torn messages are gone")

        assert worker.process.poll() is None
        assert "JSONDecodeError" not in (tmp_path / "log").read_text()
    finally:
        worker.stop()
