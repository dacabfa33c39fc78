"""`make remote`: plays in all games while keeper and stream are killed, on both databases.

Prints plays finished and verified, decisions acknowledged and taken, the time charged and the time
that the bots truly thought, and what 200 idle bots online cost.
"""

from __future__ import annotations

import os
import random
import socket
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.games import GAMES
from ladle.remote import Line
from tests import servers
from tests.ladder.remote.site import Bot, RemoteSite, legal, remote_site
from tests.servers import Server, wait_until

EACH = 5  # plays per game
KILLS = 4
BETWEEN_S = 5.0  # kills
ONLINE = 200
IDLE_S = 20.0
MANY = """
import json
from ladder.services.remote import bots
from tests.factories import make_user
print(json.dumps([
    bots.create(owner=make_user(f"idle{{n}}"), game="ramen_ramen", name=f"Idle {{n}}",
                plays_rated=False)[1]
    for n in range({count})
]))
"""
LATE = "Late"  # a bot that never answers: it forfeits, and nothing waits for ever
SETTINGS = {
    "LADLE_TEMPO_FAST_SECONDS": "6",
    "LADLE_REMOTE_GRACE_SECONDS": "60",
    "LADLE_MAX_OPEN_REMOTE_PER_USER": "100",
    "LADLE_MAX_OPEN_CLASS_PER_DAY": "0",  # only what the storm asks for
}


def slow(line: Line) -> str:
    """Thinks for some seconds now and then."""
    if random.random() < 0.03:
        time.sleep(2.0)
    return legal(line)


def storm(site: RemoteSite, *, each: int = EACH, kills: int = KILLS) -> dict[str, Any]:
    """Play all and kill meanwhile; what came of it."""
    names = {f"Far {game[:3]}": game for game in GAMES}
    made = site.make_bots(
        *((name, game, "normal") for name, game in names.items()), (LATE, "ramen_ramen", "fast")
    )
    bots = {
        name: Bot(site.url, token, slow, hands=8)
        for name, (_, token) in made.items()
        if name != LATE
    }
    bots[LATE] = Bot(site.url, made[LATE][1], lambda line: None)
    for bot in bots.values():
        bot.start()
        assert bot.is_connected.wait(30), bot.error
    tables = [(name, ["greedy"]) for name in names for _ in range(each)]
    ids = site.challenge(*tables, (LATE, ["greedy"]))
    for number in range(kills):
        time.sleep(BETWEEN_S)
        victim = site.stream if number % 2 else site.keeper
        victim.kill_group()
        victim.start()

    def are_over() -> bool:
        return all(row["status"] == "finished" for row in site.census())

    wait_until(are_over, 300, lambda: f"all plays are over: {site.census()} {site.log()}")
    for bot in bots.values():
        bot.stop()
    rows = site.census()
    late = rows[-1]
    taken = sum(row["lines"]["taken"] for row in rows)
    acknowledged = sum(o.is_taken for bot in bots.values() for o in bot.outcomes.values())
    return {
        "plays": len(ids),
        "finished": len(rows),
        "verified": sum(row["verified"] for row in rows),
        "acknowledged": acknowledged,
        "taken": taken,
        "set_up": sum(row["attempt"] for row in rows),
        "forfeits": [fault["kind"] for row in rows for fault in row["faults"]],
        "late_charged_ms": [used for used, _ in late["clocks"].values()],
        "thought_ms": round(
            1000 * sum(bot.thought_s for name, bot in bots.items() if name != LATE)
        ),
        "charged_ms": sum(used for row in rows[:-1] for used, _ in row["clocks"].values()),
    }


def idle(site: RemoteSite, bots: int = ONLINE, seconds: float = IDLE_S) -> dict[str, Any]:
    """Memory and CPU of stream and keeper with many bots online and nothing to play."""
    before = {name: used(server) for name, server in processes(site).items()}
    tokens = site.shell(MANY.format(count=bots))
    streams = []
    for token in tokens:
        one = socket.create_connection(("127.0.0.1", site.stream.port))
        heads = f"Host: x\r\nAuthorization: Bearer {token}"
        one.sendall(f"GET /api/v1/seat HTTP/1.1\r\n{heads}\r\n\r\n".encode())
        streams.append(one)
    online = "import json; from ladder.models import RemoteBot;"
    online += " print(json.dumps(RemoteBot.objects.online().count()))"
    wait_until(lambda: site.shell(online) >= bots, 60, lambda: f"all online: {site.log()}")
    first = {name: used(server) for name, server in processes(site).items()}
    time.sleep(seconds)
    last = {name: used(server) for name, server in processes(site).items()}
    for one in streams:
        one.close()
    return {
        "bots": bots,
        "seconds": seconds,
        **{
            name: {
                "memory_mb": round(last[name].memory_mb),
                "memory_mb_before": round(before[name].memory_mb),
                "cpu_percent": round(100 * (last[name].cpu_s - first[name].cpu_s) / seconds, 1),
            }
            for name in last
        },
    }


@dataclass(frozen=True)
class Used:
    memory_mb: float
    cpu_s: float


def processes(site: RemoteSite) -> dict[str, Server]:
    return {"stream": site.stream, "keeper": site.keeper}


def used(server: Server) -> Used:
    """What a server and its children hold and have used."""
    assert server.process is not None
    memory = cpu = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[2]) == server.process.pid:
                cpu += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
                memory += int(fields[21]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    return Used(memory, cpu)


def main() -> None:
    for kind in sys.argv[1:] or ["sqlite", "postgresql"]:
        with tempfile.TemporaryDirectory() as text:
            folder, began = Path(text), time.monotonic()
            folder.chmod(0o755)
            if kind == "sqlite":
                with remote_site(folder, **SETTINGS) as site:
                    found = storm(site) | {"idle": idle(site)}
            else:
                with servers.postgres(folder / "postgres") as database:
                    url = f"postgresql://ladle@127.0.0.1:{database.port}/postgres"
                    with remote_site(folder, DATABASE_URL=url, **SETTINGS) as site:
                        found = storm(site) | {"idle": idle(site)}
            sys.stdout.write(f"{kind}: {found} in {time.monotonic() - began:.0f} s\n")
            sys.stdout.flush()
            assert found["verified"] == found["plays"], found
            assert found["acknowledged"] == found["taken"], found
            assert found["forfeits"] == ["timeout"], found


if __name__ == "__main__":
    main()
