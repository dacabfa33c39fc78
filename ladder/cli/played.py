"""A finished play in words, as a table, as JSON and as a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.game import Game
from engine.match import Played
from engine.replay import Replay, canonical
from ladder.cli.files import write_bytes
from ladder.cli.output import console, cpu_time, ordinal, plural, show_json, table
from ladder.cli.players import Mode

LOG_LINES = 20
FAULT_WORDS = {
    "crash": "crashed",
    "timeout": "ran out of time",
    "illegal": "answered with an illegal action",
    "protocol": "answered with something that is no action",
    "memory": "used too much memory",
    "output": "wrote too much",
    "forbidden": "did something that is forbidden",
}


def write_replay(path: Path, replay: Replay) -> None:
    packed = path.name.endswith(".gz")
    write_bytes(path, replay.to_gzip() if packed else canonical(replay.to_json()) + b"\n")


def report(
    game: Game, done: Played, *, names: Sequence[str], logs: Sequence[str], mode: Mode
) -> dict[str, Any]:
    """All there is to tell about a play, as JSON."""
    replay = done.replay
    result = replay.result
    assert result is not None
    cpu_us = [0] * replay.seats
    decisions = [0] * replay.seats
    actions = [entry for entry in replay.log if "action" in entry]
    for action, spent in zip(actions, replay.cpu_us, strict=True):
        cpu_us[action["seat"]] += spent
        decisions[action["seat"]] += 1
    seats = []
    for seat, name in enumerate(names):
        fault = done.faults.get(seat)
        seats.append(
            {
                "seat": seat,
                "bot": name,
                "place": result.places[seat],
                "points": result.points[seat],
                "note": game.rating_note(result.points[seat], replay.seats),
                "decisions": decisions[seat],
                "cpu_us": cpu_us[seat],
                "fault": fault
                and {"kind": fault.kind, "sentence": fault.sentence, "detail": fault.detail},
                "log": logs[seat],
            }
        )
    return {
        "game": game.slug,
        "seed": replay.seed,
        "options": dict(replay.options),
        "mode": mode.value,
        "seats": seats,
        "reason": result.reason,
        "digest": replay.digest(),
    }


def show(game: Game, told: dict[str, Any], *, as_json: bool, with_logs: bool) -> None:
    if as_json:
        show_json(told)
        return
    out = console()
    seats = told["seats"]
    options = [f"{name}={value}" for name, value in told["options"].items()]
    title = f"{game.title}, {plural(len(seats), 'seat')}, seed {told['seed']}, {told['mode']}"
    out.print(f"[bold]{title}[/bold]")
    if options:
        out.print(f"options: {', '.join(options)}")
    numbers = ("place", game.points_name, "decisions", "CPU")
    listing = table("seat", "bot", *numbers, right=numbers)
    for row in seats:
        points = f"{row['points']} ({row['note']})" if row["note"] else str(row["points"])
        cpu = cpu_time(row["cpu_us"])
        place = ordinal(row["place"])
        listing.add_row(str(row["seat"]), row["bot"], place, points, str(row["decisions"]), cpu)
    out.print(listing)
    out.print(f"{told['reason'].capitalize()}.", markup=False)
    for row in seats:
        if row["fault"]:
            out.print(fault_words(row), markup=False, soft_wrap=True)
        if row["log"] and (with_logs or row["fault"]):
            out.print(f"What {row['bot']} (seat {row['seat']}) printed:", markup=False)
            text = row["log"] if with_logs else tail(row["log"])
            out.print(indented(text), markup=False, soft_wrap=True)
    out.print(f"digest {told['digest']}", soft_wrap=True)


def fault_words(row: dict[str, Any]) -> str:
    fault = row["fault"]
    words = FAULT_WORDS.get(fault["kind"], fault["kind"])
    sentence = f"Seat {row['seat']} ({row['bot']}) {words}: {fault['sentence']}."
    return f"{sentence}\n{indented(tail(fault['detail']))}" if fault["detail"] else sentence


def tail(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(["...", *lines[-LOG_LINES:]] if len(lines) > LOG_LINES else lines)


def indented(text: str) -> str:
    """A bot's words set apart from ours; what could move the cursor is shown as a blank."""
    clean = "".join(c if c.isprintable() or c == "\n" else " " for c in text)
    return "\n".join(f"    {line}" for line in clean.splitlines())
