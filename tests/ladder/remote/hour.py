"""`make remote MINUTES=60`: a play as long as that, while everything is replaced again and again.

The bot thinks for minutes about each decision. Meanwhile stream and keeper are stopped and
started as by a deployment, killed, and stopped together with the database. Prints what the play's
clock charged beside what the bot thought.
"""

from __future__ import annotations

import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ladder.jobs.seat_clock import LONGEST_STEP_MS
from ladle.remote import Line
from tests import servers
from tests.ladder.remote.site import Bot, RemoteSite, legal, remote_site
from tests.servers import wait_until

ROUNDS = 12  # of replacing everything
DECISIONS = 20  # over which the bot spreads its time: a duel has more
OPPONENT = "greedy"


class Patient(Bot):
    """Thinks for the whole time that is wanted, spread over its first decisions."""

    def __init__(self, url: str, token: str, seconds: float) -> None:
        super().__init__(url, token, self._think)
        self._share = seconds / DECISIONS
        self._until = time.monotonic() + seconds

    def _think(self, line: Line) -> str:
        time.sleep(max(0.0, min(self._share, self._until - time.monotonic())))
        return legal(line)


def long_play(
    site: RemoteSite,
    seconds: float,
    restart_database: Callable[[], None] = lambda: None,
    rounds: int = ROUNDS,
) -> dict[str, Any]:
    """One play of that many seconds; what was charged, answered and replaced."""
    [(_, token)] = site.make_bots(("Patient", "ramen_ramen", "slow"), slugs=(OPPONENT,)).values()
    bot = Patient(site.url, token, seconds)
    bot.start()
    assert bot.is_connected.wait(60), (bot.error, site.log())
    began = time.monotonic()
    [match] = site.challenge(("Patient", [OPPONENT]))
    for number in range(rounds):
        time.sleep(seconds / (rounds + 1))
        for server in (site.keeper, site.stream):
            if number % 3 == 1:
                server.kill_group()
            else:
                server.stop()
        if number % 3 == 2:
            restart_database()
        for server in (site.stream, site.keeper):
            server.start()

    def is_over() -> bool:
        return site.census()[0]["status"] == "finished"

    wait_until(is_over, 300, lambda: f"the play is over: {site.census()} {site.log()}")
    minutes = (time.monotonic() - began) / 60
    bot.stop()
    [row] = site.census()
    [[charged_ms, away_ms]] = row["clocks"].values()
    return {
        "match": match,
        "minutes": round(minutes, 1),
        "rounds": rounds,
        "set_up": row["attempt"],
        "decisions": row["lines"]["taken"],
        "acknowledged": sum(outcome.is_taken for outcome in bot.outcomes.values()),
        "verified": row["verified"],
        "faults": row["faults"],
        "breaks": bot.seat.breaks,
        "charged_ms": charged_ms,
        "thought_ms": round(1000 * bot.thought_s),
        "away_ms": away_ms,
    }


def check(found: dict[str, Any]) -> None:
    assert (found["verified"], found["faults"]) == (1, []), found
    assert found["acknowledged"] == found["decisions"], found
    step = LONGEST_STEP_MS * (1 + found["breaks"])
    assert found["charged_ms"] <= found["thought_ms"] + step, found


def main() -> None:
    seconds = 60 * float(sys.argv[1])
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        folder.chmod(0o755)
        with servers.postgres(folder / "postgres") as database:
            url = f"postgresql://ladle@127.0.0.1:{database.port}/postgres"
            settings = {"LADLE_TEMPO_SLOW_SECONDS": str(round(seconds) + 600)}

            def restart() -> None:
                database.stop(signal.SIGINT)
                database.start()

            with remote_site(folder, DATABASE_URL=url, **settings) as site:
                found = long_play(site, seconds, restart, ROUNDS if seconds > 600 else 3)
    sys.stdout.write(f"{found}\n")
    check(found)


if __name__ == "__main__":
    main()
