"""`make remote`: plays in all games while keeper and stream are killed, on both databases.

Prints plays finished and verified, decisions acknowledged and taken, and the time charged.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from engine.games import GAMES
from ladle.remote import Line
from tests import servers
from tests.ladder.remote.site import Bot, RemoteSite, legal, remote_site
from tests.servers import wait_until

EACH = 5  # plays per game
KILLS = 4
BETWEEN_S = 5.0  # kills
LATE = "Late"  # a bot that never answers: it forfeits, and nothing waits for ever
SETTINGS = {"LADLE_TEMPO_FAST_SECONDS": "6", "LADLE_REMOTE_GRACE_SECONDS": "60"}


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
    bots = {name: Bot(site.url, token, slow) for name, (_, token) in made.items() if name != LATE}
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
        "charged_ms": sum(used for row in rows[:-1] for used, _ in row["clocks"].values()),
    }


def main() -> None:
    for kind in sys.argv[1:] or ["sqlite", "postgresql"]:
        with tempfile.TemporaryDirectory() as text:
            folder, began = Path(text), time.monotonic()
            folder.chmod(0o755)
            if kind == "sqlite":
                with remote_site(folder, **SETTINGS) as site:
                    found = storm(site)
            else:
                with servers.postgres(folder / "postgres") as database:
                    url = f"postgresql://ladle@127.0.0.1:{database.port}/postgres"
                    with remote_site(folder, DATABASE_URL=url, **SETTINGS) as site:
                        found = storm(site)
            sys.stdout.write(f"{kind}: {found} in {time.monotonic() - began:.0f} s\n")
            sys.stdout.flush()
            assert found["verified"] == found["plays"], found
            assert found["acknowledged"] == found["taken"], found
            assert found["forfeits"] == ["timeout"], found


if __name__ == "__main__":
    main()
