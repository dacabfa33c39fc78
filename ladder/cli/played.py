"""A finished play in words, as a table, as JSON and as a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine.game import Game
from engine.match import Played
from ladder.cli.output import (
    console,
    cpu_time,
    indented,
    ordinal,
    plain,
    plural,
    show_json,
    table,
    tail,
)
from ladle.players import Mode

if TYPE_CHECKING:
    from rich.console import Console


def report(
    game: Game, done: Played, *, names: Sequence[str], logs: Sequence[str], mode: Mode
) -> dict[str, Any]:
    """A full report of a play, as JSON."""
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


def show(game: Game, data: dict[str, Any], *, as_json: bool, with_logs: bool) -> None:
    if as_json:
        show_json(data)
        return
    out = console()
    seats = data["seats"]
    options = [f"{name}={value}" for name, value in data["options"].items()]
    title = f"{game.title}, {plural(len(seats), 'seat')}, seed {data['seed']}, {data['mode']}"
    out.print(f"[bold]{title}[/bold]")
    if options:
        out.print(f"options: {', '.join(options)}")
    numbers = ("place", game.points_name, "decisions", "CPU")
    listing = table("seat", "bot", *numbers, right=numbers)
    for row in seats:
        points = f"{row['points']} ({row['note']})" if row["note"] else str(row["points"])
        cpu = cpu_time(row["cpu_us"])
        place = ordinal(row["place"])
        listing.add_row(
            str(row["seat"] + 1), plain(row["bot"]), place, points, str(row["decisions"]), cpu
        )
    out.print(listing)
    out.print(plain(f"{data['reason'].capitalize()}."))
    for row in seats:
        _show_words(out, row, with_logs=with_logs)
    out.print(f"digest {data['digest']}", soft_wrap=True)


def _show_words(out: Console, row: dict[str, Any], *, with_logs: bool) -> None:
    """What the bot did wrong and what it printed."""
    fault = row["fault"]
    log = row["log"].strip("\n")
    who = f"seat {row['seat'] + 1} ({row['bot']})"
    if fault:
        out.print(plain(f"Fault of {who}, {fault['kind']}: {fault['sentence']}."), soft_wrap=True)
        evidence = fault["detail"].strip("\n")
        if evidence and evidence != log:
            out.print(plain(indented(tail(evidence))), soft_wrap=True)
    if log and (fault or with_logs):
        out.print(plain(f"Printed by {who}:"), soft_wrap=True)
        out.print(plain(indented(log if with_logs else tail(log))), soft_wrap=True)
