# ruff: noqa: T201
"""`make load`: what a page costs, and a hundred requests a second beside a worker that plays.

The web process has one core to itself; a worker, the scheduler and this client share the rest. The
sites hold 2,000 bots and 200,000 matches, on SQLite and on PostgreSQL. `/healthz` stands for an
empty view. Then: claims on PostgreSQL, and ticks and fits of 10,000 bots.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Queue
from statistics import quantiles

from tests import servers
from tests.servers import PYTHON, ROOT, Server, free_port, manage, product_environment

RATE, SECONDS, CLIENTS = 100, 30, 32
REQUESTS, WARM = 70, 10
KEPT_MS, ANEW_MS, P95_MS = 5.0, 15.0, 200.0  # the goals
EMPTY = "/healthz"
PAGES = {
    "home": "/",
    "board": "/boards/ramen_ramen/2/",
    "bot": "/bots/777/",
    "match": "/matches/12345/",
    "matches": "/matches/",
    "sign-in form": "/sign-in/",
    "API ladder": "/api/v1/boards/ramen_ramen/2/ladder/",
    "API matches": "/api/v1/matches/",
}
# Another one each time: parts of a page are cached apart from it, and for longer.
MADE_ANEW: dict[str, Callable[[int], str]] = {
    "board": lambda n: f"/boards/ramen_ramen/2/?cursor=after.{1_790_000 - 5_000 * n}.1",
    "bot": lambda n: f"/bots/{777 + n}/",
    "match": lambda n: f"/matches/{12_345 + n}/",
}
STOCK = """
from tests.programs.bench import stock
stock.make_matches(stock.make_bots({bots}), 1_000)
stock.multiply_matches({times})
"""


def main() -> int:
    whole = os.sched_getaffinity(0)
    missed = pages("sqlite", with_rate=True)
    os.sched_setaffinity(0, whole)
    missed += pages("postgresql", with_rate=False)
    os.sched_setaffinity(0, whole)
    with stocked("sqlite", bots=10_000, times=100) as (_, environment):
        missed += run(
            environment, "from tests.programs.storm import costs; raise SystemExit(costs.ticks())"
        )
    print("all goals were held" if not missed else f"{missed} GOALS WERE MISSED")
    return 1 if missed else 0


@contextmanager
def stocked(kind: str, *, bots: int, times: int) -> Iterator[tuple[Path, dict[str, str]]]:
    """A folder and the settings of a site with so many bots and thousands of matches."""
    with tempfile.TemporaryDirectory(prefix="ladle-load-") as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)
        chosen = {}
        if kind == "postgresql":
            server = stack.enter_context(servers.postgres(folder / "postgres"))
            chosen["DATABASE_URL"] = f"postgresql://ladle@127.0.0.1:{server.port}/postgres"
        environment = product_environment(
            folder / "var",
            DEBUG="0",
            SECRET_KEY="only for measuring " * 3,
            ALLOWED_HOSTS="127.0.0.1",
            LADLE_HTTPS="0",
            LADLE_RATE_ANONYMOUS="1000000/min",
            LADLE_LOG_LEVEL="WARNING",
            **chosen,
        )
        stack.enter_context(servers.private_redis(environment))
        manage(environment, "prepare")
        manage(environment, "collectstatic", "--noinput", "-v0")
        assert not run(environment, STOCK.format(bots=bots, times=times))
        yield folder, environment


def run(environment: dict[str, str], code: str) -> int:
    """Inside the site's settings, with the tests' packages."""
    words = [sys.executable, "manage.py", "shell", "-v0", "-c", code]
    status = subprocess.run(words, cwd=ROOT, env=environment).returncode
    assert status in (0, 1, 2), f"ended with {status}"
    return status


def pages(kind: str, *, with_rate: bool) -> int:
    """What was missed; requests at a rate only where that is asked for."""
    with stocked(kind, bots=2_000, times=200) as (folder, environment), ExitStack() as stack:
        web_core, *others = sorted(os.sched_getaffinity(0))
        if others:
            os.sched_setaffinity(0, others)
        port = free_port()
        words = ["taskset", "-c", str(web_core), PYTHON, "-m", "waitress"]
        words += [f"--listen=127.0.0.1:{port}", "--threads=8", "ladder.wsgi:application"]
        web = Server(words, port=port, environment=environment, log=folder / "web.log")
        playing = [
            servers.worker(environment, folder / "worker.log"),
            servers.scheduler(environment, folder / "scheduler.log"),
        ]
        for server in (web, *(playing if with_rate else [])):
            server.start()
            stack.callback(server.stop)
        assert web.process is not None
        print(f"\n{kind}, 2,000 bots and 200,000 matches")
        missed = costs(port, web.process.pid)
        if with_rate:
            missed += at_a_rate(port)
        if kind == "postgresql":
            code = "from tests.programs.storm import costs; raise SystemExit(costs.claims())"
            os.sched_setaffinity(0, [web_core, *others])
            missed += run(environment, code)
        return missed


def costs(port: int, pid: int) -> int:
    known = {name: path for name, path in PAGES.items() if status(port, path) == 200}
    for name in PAGES.keys() - known.keys():
        print(f"{name}: {PAGES[name]} does not answer 200 here")
    print("CPU of the web process per request, ms (one client, warm):")
    empty = cost_ms(port, pid, [EMPTY] * REQUESTS)
    print(f"  an empty view {empty:.2f}")
    missed = len(PAGES) - len(known)
    for name, path in known.items():
        anew = cost_ms(port, pid, [address_of(name, n) for n in range(REQUESTS)])
        missed += anew > ANEW_MS
        line = f"  {name} made anew {anew:.2f}, goal {ANEW_MS:.0f}"
        if not path.startswith("/api/"):  # whose answers are not kept
            kept = cost_ms(port, pid, [path] * REQUESTS)
            missed += kept > KEPT_MS
            line += f"; kept {kept:.2f}, {kept / empty:.1f} empty views, goal {KEPT_MS:.0f}"
        print(line)
    return missed


def at_a_rate(port: int) -> int:
    print(f"{RATE} requests a second for {SECONDS} s, wall ms from when each was due:")
    alone = latencies(port, [EMPTY])
    mixed = latencies(port, list(PAGES.values()))
    for name, took in (("empty views", alone), ("all pages in turn", mixed)):
        cuts = quantiles(took, n=100)
        print(f"  {name}: p50 {cuts[49]:.0f}, p95 {cuts[94]:.0f}, p99 {cuts[98]:.0f}")
    p95 = quantiles(mixed, n=100)[94]
    print(f"  p95 goal {P95_MS:.0f} ms: {'held' if p95 <= P95_MS else 'MISSED'}")
    return int(p95 > P95_MS)


def status(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def address_of(name: str, number: int) -> str:
    """A page as nobody has asked for it yet, if it is one that is kept."""
    path = PAGES[name]
    if name in MADE_ANEW:
        return MADE_ANEW[name](number)
    return path if path.startswith("/api/") else f"{path}?again={number}"


def cost_ms(port: int, pid: int, paths: list[str]) -> float:
    """CPU of the web process for a request, of those after the first few."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    for number, path in enumerate(paths):
        if number == WARM:
            began = cpu_s(pid)
        connection.request("GET", path)
        connection.getresponse().read()
    return (cpu_s(pid) - began) * 1000 / (len(paths) - WARM)


def cpu_s(pid: int) -> float:
    return time.clock_gettime((~pid << 3) | 2)


def latencies(port: int, paths: list[str]) -> list[float]:
    """Requests are sent when they are due, whether or not earlier ones were answered."""
    due: Queue[tuple[float, str] | None] = Queue()
    took: list[float] = []

    def client() -> None:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        while (job := due.get()) is not None:
            when, path = job
            connection.request("GET", path)
            connection.getresponse().read()
            took.append((time.monotonic() - when) * 1000)

    clients = [threading.Thread(target=client) for _ in range(CLIENTS)]
    for one in clients:
        one.start()
    began = time.monotonic()
    for number in range(RATE * SECONDS):
        when = began + number / RATE
        time.sleep(max(0.0, when - time.monotonic()))
        due.put((when, paths[number % len(paths)]))
    for _ in clients:
        due.put(None)
    for one in clients:
        one.join()
    return took


if __name__ == "__main__":
    sys.exit(main())
