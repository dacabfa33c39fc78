"""`make remote`: plays in all games while keeper and stream are killed, on both databases.

Clients of five kinds play in every game at tables of two to four seats; two more forfeit. Prints
plays finished and verified, decisions acknowledged and taken, the time charged and the time that
the bots truly thought, and what 200 idle bots online cost.

No bot is charged more than it thought, from a decision's arrival to its answer's receipt, and a
step of the clock: one for itself, and one for each break of its connection, noticed a little later.
"""

from __future__ import annotations

import os
import socket
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.games import GAMES
from ladder.jobs.seat_clock import LONGEST_STEP_MS
from tests import servers
from tests.ladder.remote import clients
from tests.ladder.remote.site import Bot, RemoteSite, remote_site
from tests.servers import Server, wait_until

KINDS = ("Normal", "Slow", "Dropping", "Twice", "Polling")
LOST = ("Late", "Vanishing")  # each forfeits its play, and nothing waits for ever
STRONGEST = {
    "ramen_ramen": "chef",
    "potage_sauvage": "marmite",
    "hot_ramen": "wok",
    "safranito": "saffron",
}
BUDGET_S = 6  # of the lost ones
KILLS = 6
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
SETTINGS = {
    "LADLE_TEMPO_FAST_SECONDS": str(BUDGET_S),
    "LADLE_REMOTE_GRACE_SECONDS": "60",
    "LADLE_MAX_TABLES": "24",
    "LADLE_MAX_BOTS_PER_USER": "100",
    "LADLE_MAX_OPEN_REMOTE_PER_USER": "100",
    "LADLE_MAX_OPEN_CLASS_PER_DAY": "0",  # only what the storm asks for
}


def tables_of(kinds: Sequence[str]) -> list[tuple[str, str, list[str]]]:
    """The bot, its game and its opponents: each kind in each game, with 2, 3 or 4 seats."""
    made = []
    for at, kind in enumerate(kinds):
        for number, game in enumerate(GAMES):
            opponents = [STRONGEST[game], "greedy", "random"]
            first = (at + number) % 3
            count = 1 + (at + 2 * number) % 3
            if len(set(GAMES[game].sides(1 + count))) <= count:
                count = 2  # at that table there are teams
            chosen = (opponents[first:] + opponents[:first])[:count]
            made.append((f"{kind} {game[:3]}", game, chosen))
    return made


def client(name: str, url: str, token: str) -> Bot:
    """A bot by the first word of its name."""
    match name.split()[0]:
        case "Slow":
            return Bot(url, token, clients.slow, hands=clients.HANDS)
        case "Dropping":
            return clients.Dropping(url, token)
        case "Twice":
            return clients.Twice(url, token)
        case "Polling":
            return clients.Polling(url, token, hands=clients.HANDS)
        case "Late":
            return clients.Late(url, token, BUDGET_S)
        case "Vanishing":
            return clients.Vanishing(url, token)
    return Bot(url, token, hands=clients.HANDS)


def storm(
    site: RemoteSite, *, kinds: Sequence[str] = KINDS, kills: int = KILLS, patience_s: float = 900
) -> dict[str, Any]:
    """Play all and kill meanwhile; what came of it."""
    played = tables_of(kinds)
    lost = [(name, "ramen_ramen", ["greedy"]) for name in LOST]
    everyone = [*played, *lost]
    made = site.make_bots(
        *((name, game, "fast" if name in LOST else "normal") for name, game, _ in everyone),
        slugs=("greedy", "random", *STRONGEST.values()),
    )
    bots = {name: client(name, site.url, token) for name, (_, token) in made.items()}
    for name, bot in bots.items():
        bot.start()
        assert bot.is_connected.wait(60), (name, bot.error, site.log())
    ids = site.challenge(*((name, opponents) for name, _, opponents in everyone))
    for number in range(kills):
        time.sleep(BETWEEN_S)
        victim = site.stream if number % 2 else site.keeper
        victim.kill_group()
        victim.start()

    def are_over() -> bool:
        return all(row["status"] == "finished" for row in site.census())

    wait_until(are_over, patience_s, lambda: f"all plays are over: {site.census()} {site.log()}")
    for bot in bots.values():
        bot.stop()
    rows = dict(zip([name for name, *_ in everyone], site.census(), strict=True))
    twice = [bot for bot in bots.values() if isinstance(bot, clients.Twice)]
    own = {name: rows[name] for name, *_ in played}
    thought_ms = {name: round(1000 * bots[name].thought_s) for name in own}
    charged_ms = {
        name: sum(used for used, _ in row["clocks"].values()) for name, row in own.items()
    }
    return {
        "plays": len(ids),
        "seats": sum(1 + len(opponents) for *_, opponents in everyone),
        "verified": sum(row["verified"] for row in rows.values()),
        "acknowledged": sum(o.is_taken for b in bots.values() for o in b.outcomes.values()),
        "taken": sum(row["lines"]["taken"] for row in rows.values()),
        "set_up": sum(row["attempt"] for row in rows.values()),
        "forfeits": {
            name: [fault["kind"] for fault in row["faults"]]
            for name, row in rows.items()
            if row["faults"]
        },
        "repeated": [
            sum(o.is_taken for b in twice for o in b.repeats),
            sum(len(b.repeats) for b in twice),
        ],
        "others_refused": [
            sum(o.code == "already_answered" for b in twice for o in b.others),
            sum(len(b.others) for b in twice),
        ],
        "too_late": sum(o.code == "too_late" for o in bots[LOST[0]].outcomes.values()),
        "thought_ms": sum(thought_ms.values()),
        "charged_ms": sum(charged_ms.values()),
        "overcharged": {
            name: [charged_ms[name], thought_ms[name]]
            for name in own
            if charged_ms[name] > thought_ms[name] + LONGEST_STEP_MS * (1 + bots[name].seat.breaks)
        },
        "lost_clocks": {name: list(rows[name]["clocks"].values()) for name in LOST},
    }


def check(found: dict[str, Any]) -> None:
    """What must hold after a storm."""
    assert found["verified"] == found["plays"], found
    assert found["acknowledged"] == found["taken"], found
    assert found["forfeits"] == {name: ["timeout"] for name in LOST}, found
    for part in ("repeated", "others_refused"):
        assert found[part][0] == found[part][1], found
    assert not found["overcharged"], found


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
            check(found)


if __name__ == "__main__":
    main()
