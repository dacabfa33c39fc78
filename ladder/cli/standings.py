"""What an arena found out about each bot, as JSON and as a table."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from engine.arena import Tally, copies, plan, pooled
from engine.game import Game
from ladder.cli.output import (
    console,
    cpu_time,
    indented,
    plain,
    plural,
    show_json,
    table,
    tail,
)
from ladle.decided import Comparison
from ladle.duels import Duels
from ladle.players import Mode
from ladle.sets import FaultNote, Setting

ASKED = {Mode.SANDBOX: [], Mode.CHILD: ["--no-sandbox"], Mode.IN_PROCESS: ["--in-process"]}


def report(game: Game, done: Duels) -> dict[str, Any]:
    """All of it; bots that count as one share a row."""
    setting, tallies, faults = done.setting, done.tallies, done.faults
    per_side = copies(game, setting.seats)
    rows = done.groups or [(entry,) for entry in range(len(setting.bots))]
    return {
        "game": game.slug,
        "seats": setting.seats,
        "options": dict(setting.options),
        "mode": setting.mode.value,
        "first_seed": done.first_seed,
        "sets": len(tallies[0].sets),
        "complete": done.is_complete,
        "chance": 1 / len(setting.bots),
        "bots": [
            {
                "bot": _name([setting.bots[entry].name for entry in row]),
                "copies": len(row),
                "sha256": setting.bots[row[0]].program.sha256,
            }
            | _record(pooled([tallies[entry] for entry in row]), per_side)
            | {"example_fault": _example(game, setting, _first_fault(faults, row))}
            for row in rows
        ],
        "comparison": _compared(done.comparison) if done.comparison else None,
    }


def _name(names: Sequence[str]) -> str:
    """A bot's name, without the number that tells its copies apart where they share a row."""
    if len(names) == 1:
        return names[0]
    return " = ".join(dict.fromkeys(name.rpartition(" #")[0] or name for name in names))


def _first_fault(
    faults: Mapping[int, tuple[int, FaultNote]], row: tuple[int, ...]
) -> tuple[int, FaultNote] | None:
    found = [faults[entry] for entry in row if entry in faults]
    return min(found, key=lambda fault: fault[0]) if found else None


def _compared(comparison: Comparison) -> dict[str, Any]:
    """The verdict on the first bot against the second; null for an Elo without an end."""

    def finite(value: float) -> float | None:
        return value if math.isfinite(value) else None

    return {
        "decision": comparison.decision.value,
        "sentence": comparison.sentence,
        "elo": finite(comparison.elo),
        "elo_low": finite(comparison.low),
        "elo_high": finite(comparison.high),
        "superiority": comparison.superiority,
        "score": comparison.score,
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
        "faults": dict(record.faults),
        "decisions": record.decisions,
        "cpu_us_per_decision": record.cpu_us / max(1, record.decisions),
    }


def _example(
    game: Game, setting: Setting, example: tuple[int, FaultNote] | None
) -> dict[str, Any] | None:
    """A fault of the entry in words, and the command that plays that very play again."""
    if example is None:
        return None
    seed, note = example
    seating = plan(game, setting.seats, len(setting.bots), seed)[note.play]
    bots = [setting.bots[other].typed for other in seating]
    command = ["ladle", "play", setting.game, *bots, "--seed", str(seed), *ASKED[setting.mode]]
    for name, value in setting.options.items():
        if value != game.options[name].default:
            command += ["--option", f"{name}={value}"]
    return {
        "seat": note.seat,
        "kind": note.kind,
        "sentence": note.sentence,
        "detail": note.detail,
        "command": shlex.join(command),
    }


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def show(game: Game, data: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        show_json(data)
        return
    out = console()
    seats, sets = data["seats"], data["sets"]
    last = data["first_seed"] + sets - 1
    title = f"{game.title}, {plural(seats, 'seat')}, {plural(sets, 'set')}"
    first = data["bots"][0]
    out.print(
        f"[bold]{title}[/bold] of {plural(first['plays'] // first['copies'] // sets, 'play')}"
    )
    out.print(f"seeds from {data['first_seed']} to {last}, {data['mode']}")
    out.print(f"chance wins {data['chance']:.1%}")
    numbers = ["wins", "95% interval", "place", game.points_name, "CPU/move"]
    listing = table("bot", *numbers, "wins by seat", "faults", right=tuple(numbers))
    for row in data["bots"]:
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(row["faults"].items()))
        listing.add_row(
            plain(row["bot"] if row["copies"] == 1 else f"{row['bot']} × {row['copies']}"),
            f"{row['win_rate']:.1%}",
            f"{row['win_rate_low'] * 100:.1f}–{row['win_rate_high']:.1%}",
            f"{row['mean_place']:.2f}",
            f"{row['mean_points']:.1f}",
            cpu_time(row["cpu_us_per_decision"]),
            " ".join(f"{rate:.0%}" for rate in row["win_rate_by_seat"].values()),
            f"{faults} in {plural(row['plays'], 'play')}" if faults else "none",
        )
    out.print(listing)
    if compared := data["comparison"]:
        names = f"{first['bot']} against {data['bots'][1]['bot']}"
        out.print(plain(f"{names}: {compared['sentence']}"), style="bold", soft_wrap=True)
    if faulty := [row["bot"] for row in data["bots"] if row["faults"]]:
        words = f"Faults: {', '.join(faulty)}. A fault loses the play, so these win rates tell"
        out.print(plain(f"{words} of faults as much as of strength."), style="red", soft_wrap=True)
    for row in data["bots"]:
        if example := row["example_fault"]:
            words = f"A fault of {row['bot']}, {example['kind']}: {example['sentence']}."
            out.print(plain(words), soft_wrap=True)
            if example["detail"]:
                out.print(plain(indented(tail(example["detail"]))), soft_wrap=True)
            out.print(plain(f"To play it again: {example['command']}"), soft_wrap=True)
