"""Many open streams: `python -m tests.ladder.events.load 1000` prints memory, CPU and latency."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import httpx

from tests.ladder.events.streaming import site_with_stream, write_events
from tests.servers import wait_until


def memory_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def worker_of(pid: int) -> int:
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])


async def follow(port: int, delays: list[float], is_open: asyncio.Event) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /api/v1/events?format=ndjson HTTP/1.0\r\nHost: localhost\r\n\r\n")
    async for line in reader:
        if line.startswith(b'{"kind":"hello"'):
            is_open.set()
        elif line.startswith(b"{"):
            at = json.loads(line)["at"].replace("Z", "+00:00")
            written = datetime.fromisoformat(at).timestamp()
            delays.append(time.time() - written)


async def measure(count: int, port: int, pid: int, environment: dict[str, str]) -> None:
    say = lambda text: sys.stdout.write(f"{text}\n")  # noqa: E731
    before = memory_kb(pid)
    delays: list[float] = []
    opened = [asyncio.Event() for _ in range(count)]
    tasks = [asyncio.create_task(follow(port, delays, one)) for one in opened]
    await asyncio.gather(*(one.wait() for one in opened))
    after = memory_kb(pid)
    say(
        f"{count} streams: {before / 1024:.1f} MB before, {after / 1024:.1f} MB after,"
        f" {(after - before) / count:.1f} kB each"
    )
    began, used = time.monotonic(), cpu_s(pid)
    await asyncio.sleep(20)
    say(f"idle CPU {100 * (cpu_s(pid) - used) / (time.monotonic() - began):.1f} %")
    used = cpu_s(pid)
    for number in range(5):
        await asyncio.to_thread(write_events, environment, number * 10, 10)
    await asyncio.sleep(3)
    delays.sort()
    say(
        f"{len(delays)} of {50 * count} deliveries,"
        f" median {1000 * delays[len(delays) // 2]:.0f} ms,"
        f" p95 {1000 * delays[int(len(delays) * 0.95)]:.0f} ms,"
        f" {1e6 * (cpu_s(pid) - used) / len(delays):.0f} us CPU each"
    )
    for task in tasks:
        task.cancel()


def main() -> None:
    count = int(sys.argv[1])
    folder = Path(tempfile.mkdtemp())
    with site_with_stream(folder, LADLE_STREAM_MOST_PER_ADDRESS="5000") as (environment, server):
        assert server.process is not None
        address = f"http://127.0.0.1:{server.port}/healthz"
        wait_until(lambda: httpx.get(address, timeout=20).status_code == 200, 60, "it is ready")
        asyncio.run(measure(count, server.port, worker_of(server.process.pid), environment))


if __name__ == "__main__":
    main()
