"""What an arena found out about each bot, as JSON and as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from engine.arena import Tally, copies
from engine.game import Game
from ladder.cli.output import console, cpu_time, plural, show_json, table
from ladder.cli.sets import Setting


def report(
    game: Game,
    setting: Setting,
    tallies: Sequence[Tally],
    *,
    sets: int,
    first_seed: int,
    complete: bool,
) -> dict[str, Any]:
    per_side = copies(game, setting.seats)
    return {
        "game": game.slug,
        "seats": setting.seats,
        "options": dict(setting.options),
        "mode": setting.mode.value,
        "first_seed": first_seed,
        "sets": sets,
        "complete": complete,
        "bots": [
            {"bot": bot.name, "sha256": bot.sha256} | _record(record, per_side)
            for bot, record in zip(setting.bots, tallies, strict=True)
        ],
    }


def _record(record: Tally, per_side: int) -> dict[str, Any]:
    rate, low, high = record.win_rate()
    shares = [share for seat in record.by_seat.values() for share in seat]
    # A team's share stands once at each of its seats.
    return {
        "plays": len(shares) // per_side,
        "won": sum(share == 1 for share in shares) // per_side,
        "shared": sum(0 < share < 1 for share in shares) // per_side,
        "lost": sum(share == 0 for share in shares) // per_side,
        "win_rate": rate,
        "win_rate_low": low,
        "win_rate_high": high,
        "mean_place": _mean(record.places),
        "mean_points": _mean(record.points),
        "win_rate_by_seat": {
            str(seat): _mean(values) for seat, values in sorted(record.by_seat.items())
        },
        "faults": record.faults,
        "decisions": record.decisions,
        "cpu_us_per_decision": record.cpu_us / max(1, record.decisions),
    }


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def show(game: Game, told: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        show_json(told)
        return
    out = console()
    seats, sets = told["seats"], told["sets"]
    last = told["first_seed"] + sets - 1
    title = f"{game.title}, {plural(seats, 'seat')}, {plural(sets, 'set')}"
    out.print(f"[bold]{title}[/bold] of {plural(told['bots'][0]['plays'] // sets, 'play')}")
    out.print(f"seeds from {told['first_seed']} to {last}, {told['mode']}")
    numbers = ["wins", "95% interval", "place", game.points_name, "CPU/move"]
    by_seat = [f"seat {seat}" for seat in range(seats)] if seats > 1 else []
    listing = table("bot", *numbers, *by_seat, "faults", right=(*numbers, *by_seat))
    for row in told["bots"]:
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(row["faults"].items()))
        listing.add_row(
            row["bot"],
            f"{row['win_rate']:.1%}",
            f"{row['win_rate_low']:.1%}–{row['win_rate_high']:.1%}",
            f"{row['mean_place']:.2f}",
            f"{row['mean_points']:.1f}",
            cpu_time(row["cpu_us_per_decision"]),
            *(f"{row['win_rate_by_seat'][str(seat)]:.0%}" for seat in range(seats) if by_seat),
            faults or "none",
        )
    out.print(listing)
