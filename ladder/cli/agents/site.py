"""Tools for a server: submit a bot, wait for the verdict, read the standings."""

from __future__ import annotations

import time
from typing import Any

from ladder.cli.agents.running import run
from ladder.cli.remote.connection import connected

LONGEST_WAIT_S = 120
POLL_S = 1.0
SHOWN = 10


def submit(
    game: str, file: str, name: str, note: str = "", seats: list[int] | None = None
) -> dict[str, Any]:
    """Upload a bot, or a new version of your bot of that name; declared as written by an agent.

    `seats` are the boards of a new bot, all of them if not given. The same file again is the
    version known already, so calling this twice does no harm.
    """
    boards = [text for count in seats or () for text in ("--seats", str(count))]
    _, told = run(
        *("submit", f"--game={game}", f"--name={name}", f"--note={note[:200]}"),
        *("--authorship", "agent", "--wait", "0", *boards),
        given=[file],
        fine=(0, 1, 4),
    )
    version = told["version"]
    return {
        "bot": told["bot"]["id"],
        "version": version["number"],
        "status": version["status"],
        "page": told["page"],
        "next": "Call `wait_for_verdict` with bot and version.",
    }


def wait_for_verdict(bot: int, version: int, seconds: int = 60) -> dict[str, Any]:
    """Wait until the gate has judged a version; call again while the status is `checking`."""
    until = time.monotonic() + min(max(0, seconds), LONGEST_WAIT_S)
    with connected(None) as client:
        while True:
            found = client.version(bot, version)
            if found.status != "checking" or time.monotonic() > until:
                break
            time.sleep(POLL_S)
        report = client.report(bot, version)
    failed = [row for row in report.rows if not row.get("ok")]
    hints = {
        "accepted": "It plays now. Call `standings` after some minutes.",
        "rejected": "Fix what failed, then `check` and `submit` again.",
        "checking": "Call `wait_for_verdict` again.",
    }
    answer = {"status": found.status, "verdict": report.verdict, "next": hints[found.status]}
    if failed:
        answer["failed"] = str(failed[-1].get("sentence", ""))
        answer["detail"] = str(failed[-1].get("detail") or "")[-1500:]
    return answer


def standings(game: str, seats: int, bot: str = "") -> dict[str, Any]:
    """The top of a ladder, and where a bot (by a part of its name) stands on it."""
    with connected(None) as client:
        top = client.ladder(game, seats, page_size=SHOWN).results
        own: list[Any] = []
        if bot:
            for provisional in (None, True):
                own += client.ladder(
                    game, seats, search=bot, provisional=provisional, page_size=5
                ).results
    answer: dict[str, Any] = {"top": [_row(row) for row in top]}
    if bot:
        answer["found"] = [_row(row) for row in own]
        if not own:
            answer["next"] = "No such bot is on this board yet. Is its version accepted?"
        elif any(row.is_provisional for row in own):
            answer["next"] = "It is not ranked yet: the interval is still wide. Ask again later."
        else:
            answer["next"] = "It is ranked. Improve it and `submit` a new version."
    return answer


def _row(row: Any) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "bot": row.bot.name,
        "owner": row.bot.owner,
        "version": row.version,
        "elo": round(row.elo),
        "low": round(row.low),
        "high": round(row.high),
        "plays": row.plays,
    }
