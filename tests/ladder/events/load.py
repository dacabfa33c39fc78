"""`make streams`: many open streams, and a kill of the process that serves them.

Prints memory, idle CPU and latency, and what was missed or doubled after the readers came back.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import httpx

from tests.ladder.events.streaming import site_with_stream, write_events
from tests.servers import Server, wait_until

EVENTS = 50


def memory_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def worker_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


class Follower:
    """Reads lines and comes back after every break, with the id it saw last."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.last = ""
        self.seen: list[int] = []
        self.delays: list[float] = []
        self.is_open = asyncio.Event()

    async def run(self) -> None:
        while True:
            with suppress(OSError):
                await self._follow()
            self.is_open.clear()
            await asyncio.sleep(0.2)

    async def _follow(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        after = f"Last-Event-ID: {self.last}\r\n" if self.last else ""
        head = f"GET /api/v1/events?format=ndjson HTTP/1.0\r\nHost: localhost\r\n{after}\r\n"
        writer.write(head.encode())
        async for line in reader:
            if not line.startswith(b"{") or not line.endswith(b"\n"):
                continue
            event = json.loads(line)
            self.last = str(event["id"])
            if event["kind"] == "hello":
                self.is_open.set()
                continue
            self.seen.append(event["id"])
            written = datetime.fromisoformat(event["at"].replace("Z", "+00:00")).timestamp()
            self.delays.append(time.time() - written)


async def measure(count: int, server: Server, environment: dict[str, str]) -> bool:
    """Open them, let them wait, write events, kill the stream among them; print what it took."""
    assert server.process is not None
    pid = worker_of(server.process.pid)
    before = memory_kb(pid)
    followers = [Follower(server.port) for _ in range(count)]
    tasks = [asyncio.create_task(one.run()) for one in followers]

    async def until(is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(300):
            while not is_so():
                await asyncio.sleep(0.2)

    async def written(first: int, many: int) -> None:
        for number in range(0, many, 10):
            await asyncio.to_thread(write_events, environment, first + number, 10)

    await until(lambda: all(one.is_open.is_set() for one in followers))
    after = memory_kb(pid)
    say(
        f"{count} streams: {before / 1024:.1f} MB before, {after / 1024:.1f} MB after,"
        f" {(after - before) / count:.1f} kB each"
    )
    began, used = time.monotonic(), cpu_s(pid)
    await asyncio.sleep(20)
    say(f"idle CPU {100 * (cpu_s(pid) - used) / (time.monotonic() - began):.1f} %")
    used = cpu_s(pid)
    await written(0, EVENTS)
    await until(lambda: all(len(one.seen) >= EVENTS for one in followers))
    delays = sorted(delay for one in followers for delay in one.delays)
    say(
        f"{len(delays)} of {EVENTS * count} deliveries,"
        f" median {1000 * delays[len(delays) // 2]:.0f} ms,"
        f" p95 {1000 * delays[int(len(delays) * 0.95)]:.0f} ms,"
        f" {1e6 * (cpu_s(pid) - used) / len(delays):.0f} us CPU each"
    )
    server.kill_group()
    await written(EVENTS, EVENTS)
    server.start()
    began = time.monotonic()
    await written(2 * EVENTS, EVENTS)
    await until(lambda: all(len(one.seen) >= 3 * EVENTS for one in followers))
    lasted = time.monotonic() - began
    await asyncio.sleep(2)  # for anything that comes twice
    for task in tasks:
        task.cancel()
    all_ids = sorted(set().union(*(one.seen for one in followers)))
    missed = sum(len(set(all_ids) - set(one.seen)) for one in followers)
    doubled = sum(len(one.seen) - len(set(one.seen)) for one in followers)
    disordered = sum(one.seen != sorted(one.seen) for one in followers)
    say(
        f"killed and started again, {EVENTS} events meanwhile and {EVENTS} afterwards: all read"
        f" after {lasted:.1f} s; {missed} missed, {doubled} doubled,"
        f" {disordered} readers out of order, of {3 * EVENTS * count} deliveries"
    )
    return len(all_ids) == 3 * EVENTS and not missed and not doubled and not disordered


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main() -> int:
    count = int(sys.argv[1])
    folder = Path(tempfile.mkdtemp())
    with site_with_stream(folder, LADLE_STREAM_MOST_PER_ADDRESS="5000") as (environment, server):
        address = f"http://127.0.0.1:{server.port}/healthz"
        wait_until(lambda: httpx.get(address, timeout=20).status_code == 200, 60, "it is ready")
        return 0 if asyncio.run(measure(count, server, environment)) else 1


if __name__ == "__main__":
    sys.exit(main())
