"""A whole site for the storm, with readers of its events, on either kind of servers."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import httpx

from ladder.client.client import ApiProblem, Client, Unreachable
from tests import servers
from tests.ladder.events.receiver import Receiver
from tests.ladder.events.streaming import Reader, stream_server
from tests.servers import PYTHON, Server, free_port, manage, product_environment

LIMITS = {
    "LADLE_LEASE_SECONDS": "10",
    "LADLE_LOG_FORMAT": "json",
    "LADLE_MAX_UPLOADS_PER_DAY": "100000",
    "LADLE_RATE_USER": "100000/min",
    "LADLE_RATE_ANONYMOUS": "100000/min",
    "LADLE_WEBHOOK_ALLOW_LOOPBACK": "1",
}
BEGIN = """
from ladder.models import Token, User
user = User.objects.create_user("stormy", password=None)
print(Token.issue(user=user, name="storm", scope="submit")[1])
"""
FOLLOW = """
from ladder.models import User
from ladder.services.webhooks import hooks
hooks.create(user=User.objects.get(username="stormy"), url="{url}", format="standard")
print("followed")
"""
END = "from ladder.models import Rating; Rating.objects.update(is_listed=False)"
CENSUS = """
import json
import threading
from collections import Counter
from ladder.models import Delivery, Entry, Event, Match, Play, Rating, Tick, Version
from ladder.replays.referee import fresh_verdict
Delivery.objects.exclude(due_at=None).update(due_at="2026-01-01T00:00Z")  # none waits for hours
status = Counter(Match.all_objects.values_list("status", flat=True))
rated = Entry.objects.filter(match__status="finished", match__tick__applied_at__isnull=False)
counted = Counter(rated.values_list("version_id", "match__game", "match__seats"))
own = Version.objects.filter(bot__owner__username="stormy")
told = Counter(Event.objects.filter(kind="match.finished").values_list("match", flat=True))
played = Match.all_objects.filter(status="finished").exclude(kind="check")
causes = played.values_list("pk", flat=True)
checked = own.filter(status__in=["accepted", "rejected"]).count()
verdicts = Event.objects.filter(kind__in=["version.accepted", "version.rejected"]).count()
print(json.dumps({
    "matches": sum(status.values()),
    "finished": status["finished"],
    "void": status["void"],
    "stuck": status["queued"] + status["running"],
    "tried again": Match.all_objects.filter(attempt__gt=1).count(),
    "miscounted ratings": sum(rating.sets != counted[rating.version_id, rating.game, rating.seats]
        for rating in Rating.objects.all()),
    "ticks not rated": Tick.objects.unapplied().count(),
    "uploads stored": own.count(),
    "rejected": own.filter(status="rejected").count(),
    "not checked": own.filter(status="checking").count(),
    "events": Event.objects.count(),
    "causes without one event": sum(told[pk] != 1 for pk in causes) + abs(checked - verdicts),
    "deliveries": Delivery.objects.count(),
    "not delivered": Delivery.objects.exclude(state="delivered").count(),
    "replays": Play.objects.count(),
    "bad replays": sum(not fresh_verdict(play).ok for play in Play.objects.all() if {verify}),
}))
"""
BOT = "import random\ndef decide(view):\n    return random.choice(view['legal'])  # {number}\n"


class Site:
    """The processes by name, and the site seen through its own doors."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment = environment
        self.folder = folder
        self.media = Path(environment["LADLE_VAR"], "media")
        self.redis: Server | None = None
        self.postgres: Server | None = None
        self.port = free_port()
        web = [PYTHON, "-m", "waitress", f"--listen=127.0.0.1:{self.port}", "--threads=4"]
        web += ["ladder.wsgi:application"]
        self.processes = {
            "web": Server(web, port=self.port, environment=environment, log=folder / "web.log"),
            "worker 1": servers.worker(environment, folder / "worker1.log"),
            "worker 2": servers.worker(environment, folder / "worker2.log"),
            "scheduler": servers.scheduler(environment, folder / "scheduler.log"),
            "stream": stream_server(environment, folder / "stream.log"),
        }
        self.reader = Reader(self.processes["stream"].port)
        self.token = ""
        self.bot = 0
        self.uploads = 0
        self.deaths = 0  # of processes that nobody killed

    @cached_property
    def receiver(self) -> Receiver:
        """What the site's webhooks are sent to; it listens once it is asked for."""
        return Receiver()

    def shell(self, code: str) -> str:
        return manage(self.environment, "shell", "-v", "0", "-c", code).strip().splitlines()[-1]

    def census(self, *, verify: bool = False) -> dict[str, int]:
        found: dict[str, int] = json.loads(self.shell(CENSUS.replace("{verify}", str(verify))))
        return found

    def status(self, path: str) -> int:
        """What a visitor is answered."""
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", timeout=60).status_code

    def heard(self) -> dict[str, int]:
        """What came of the events, for those who follow them from outside."""
        public = "Event.objects.public().order_by('pk').values_list('pk', flat=True)"
        code = f"import json; from ladder.models import Event; print(json.dumps(list({public})))"
        written = [pk for pk in json.loads(self.shell(code)) if pk > self.reader.first]
        read = [event["id"] for event in self.reader.events]
        ids: dict[str, set[str]] = {}
        for headers, body in self.receiver.got:
            ids.setdefault(str(json.loads(body)["data"]["id"]), set()).add(headers["webhook-id"])
        return {
            "events read": len(read),
            "events missed by a reader": len(set(written) - set(read)),
            "events read twice or out of order": sum(a >= b for a, b in pairwise(read)),
            "delivered under two ids": sum(len(each) > 1 for each in ids.values()),
        }

    def finished_twice(self) -> int:
        """Matches that more than one attempt was told to have finished, by the workers' logs."""
        finished: Counter[int] = Counter()
        for log in self.folder.glob("worker*.log"):
            for line in log.read_text(errors="replace").splitlines():
                if '"match finished"' in line:  # the last line of one that was killed may be torn
                    with suppress(ValueError):
                        finished[json.loads(line)["match"]] += 1
        assert finished, "no worker has told of a match"
        return sum(count > 1 for count in finished.values())

    def raise_the_dead(self) -> None:
        """Start again what ended by itself, and count it."""
        for server in self.processes.values():
            if server.process is not None and server.process.poll() is not None:
                self.deaths += 1
                server.start()

    def upload(self) -> bool:
        """One more version of our bot; False when the site could not take it just now."""
        source = BOT.format(number=self.uploads).encode()
        with Client(f"http://127.0.0.1:{self.port}", token=self.token) as client:
            try:
                if not self.bot:
                    self.bot = client.create_bot(
                        game="ramen_ramen", name="Storm", seat_counts=[2]
                    ).id
                client.upload(self.bot, "bot.py", source)  # the same one again until it is taken
            except Unreachable:
                return False
            except ApiProblem as error:
                if error.status < 500:
                    raise
                return False
        self.uploads += 1
        return True

    def memory_mb(self) -> dict[str, float]:
        """What each process and its children hold now; what they share is split among them."""
        held = {}
        for name, server in self.processes.items():
            if server.process is not None:
                pids = [server.process.pid, *_children(server.process.pid)]
                held[name] = sum(_held_kb(pid) for pid in pids) / 1024
        return held


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _held_kb(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0
    return int(text.partition("\nPss:")[2].split()[0])


@contextmanager
def site(folder: Path, kind: str) -> Iterator[Site]:
    """A running site: `embedded` as `make run` has it, `servers` on PostgreSQL and Redis."""
    with ExitStack() as stack:
        more = dict(LIMITS)
        redis = postgres = None
        if kind == "servers":
            redis = stack.enter_context(servers.redis(folder / "redis"))
            postgres = stack.enter_context(servers.postgres(folder / "postgres"))
            more["REDIS_URL"] = f"redis://127.0.0.1:{redis.port}/0"
            more["DATABASE_URL"] = f"postgresql://ladle@127.0.0.1:{postgres.port}/postgres"
        more["LADLE_RUNTIME"] = stack.enter_context(servers.runtime_folder())
        environment = product_environment(folder / "var", **more)
        redis = redis or stack.enter_context(servers.private_redis(environment))
        manage(environment, "prepare")
        found = Site(environment, folder)
        found.redis, found.postgres = redis, postgres
        stack.callback(found.receiver.server_close)
        threading.Thread(target=found.receiver.serve_forever, daemon=True).start()
        stack.callback(found.receiver.shutdown)
        found.token = found.shell(BEGIN)
        found.shell(FOLLOW.format(url=found.receiver.url))
        for server in found.processes.values():
            server.start()
            stack.callback(server.stop)
        found.reader.start()
        stack.callback(found.reader.stop)
        yield found
