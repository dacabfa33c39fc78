"""`ladle tournament`: the verbs of a server's tournaments, and `run`, which plays one here."""

from __future__ import annotations

import secrets
from collections import Counter
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.arguments import (
    GameArgument,
    InProcessOption,
    JsonOption,
    NoSandboxOption,
    SeedOption,
    chosen_seed,
    find_game,
    must_seat,
)
from ladder.cli.output import FAULT, console, plain, plural, show_json, table
from ladder.cli.remote.tournaments import FormatOption, SetsOption, format_options, tournament
from ladle.errors import Refusal

if TYPE_CHECKING:
    from ladle.tournament import Tournament

KEPT_EVERY_S = 1.0


@tournament.command("run")
def run(
    game: GameArgument,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help="Scripts, folders or house bots, the top seed first."),
    ],
    format: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="round_robin, swiss, ...")
    ] = "round_robin",
    seats: Annotated[int, typer.Option(metavar="K", help="Seats at the tables.")] = 2,
    sets: SetsOption = 1,
    options: FormatOption = None,
    seed: SeedOption = None,
    jobs: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="How many sets to play at once.")
    ] = 1,
    record: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help="Keep the record, for `verify --tournament`; the same command resumes it.",
        ),
    ] = None,
    as_json: JsonOption = False,
    in_process: InProcessOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Play a whole tournament on this machine, by a format of the site.

    Bots are seeded in the order given. Tables, tie-breaks and extra sets are the site's own, and
    the record can be checked like one of the site's. With --record a tournament that was stopped
    goes on by the same command. Exits with 3 when a bot that you gave as a file failed.

    Examples:

      [cyan]ladle tournament run ramen_ramen a.py b.py greedy random --sets 5[/cyan]
      [cyan]ladle tournament run hot_ramen *.py --format swiss --option rounds=5 --jobs 2[/cyan]
    """
    from ladder.cli.modes import choose_mode
    from ladle.bots import find_bots
    from ladle.progress import bar
    from ladle.tournament import OtherRecord, Tournament

    rules = find_game(game)
    must_seat(rules, seats)
    if record is not None and not record.parent.is_dir():
        raise Refusal(f"{record} cannot be written: there is no folder {record.parent}.")
    so_far = _read(record)
    secret = secrets.token_hex(32) if seed is None else f"seed {chosen_seed(seed)}"
    if so_far and seed is None:
        secret = str(so_far.get("secret"))
    found = find_bots(rules, bots)
    try:
        cup = Tournament(
            rules.slug,
            seats,
            found,
            format=format,
            secret=secret,
            sets=sets,
            options=format_options(options or ()),
            so_far=so_far,
        )
    except OtherRecord as error:
        raise Refusal(f"{record} cannot be resumed: {error}.") from None
    mode = choose_mode(in_process=in_process, no_sandbox=no_sandbox)
    expected = cup.format.preview(len(found), cup.options).matches * sets
    written_at = monotonic()
    try:
        with bar(expected, "sets") as advance:
            for _ in cup.run(mode, jobs):
                advance()
                if record is not None and monotonic() - written_at > KEPT_EVERY_S:
                    _write(record, cup)
                    written_at = monotonic()
    finally:
        if record is not None:
            _write(record, cup)
    told = cup.record()
    if as_json:
        show_json(told)
    else:
        _show(cup)
        if record is not None:
            typer.echo(f"record written to {record}")
    if any(bot.is_own for bot, _ in cup.faults):
        raise typer.Exit(FAULT)


def _read(path: Path | None) -> dict[str, Any] | None:
    """What a tournament has come to so far; None where it begins."""
    import json

    from ladder.cli.verify import MAX_RECORD_BYTES
    from ladle.files import read_bytes

    if path is None or not path.exists():
        return None
    try:
        found = json.loads(read_bytes(path, MAX_RECORD_BYTES))
    except ValueError as error:
        raise Refusal(f"{path} exists, and is not JSON: {error}.") from None
    return found if isinstance(found, dict) else {}


def _write(path: Path, cup: Tournament) -> None:
    """In one go, so that a command that is killed leaves a whole record."""
    import json

    from ladle.files import write_bytes

    beside = path.with_name(f"{path.name}.part")
    write_bytes(beside, json.dumps(cup.record(), indent=1).encode())
    beside.replace(path)


def _show(cup: Tournament) -> None:
    from ladder.tournaments.standings import shown

    rows = cup.standings()
    out = console()
    title = f"{cup.format.title}, {cup.game.title}, {plural(cup.seats, 'seat')}"
    out.print(f"[bold]{title}[/bold], {plural(cup.sets, 'set')} a match")
    breaks = list(rows[0].tie_breaks)
    numbers = ("place", "seed", "points", *breaks)
    listing = table("place", "bot", *numbers[1:], "why", right=numbers)
    for row in rows:
        listing.add_row(
            str(row.place),
            plain(cup.bots[row.entrant - 1].name),
            str(row.entrant),
            shown(row.points),
            *(shown(row.tie_breaks[name]) for name in breaks),
            plain(row.explanation),
        )
    out.print(listing)
    faults = Counter((bot.name, kind) for bot, kind in cup.faults)
    for (name, kind), count in sorted(faults.items()):
        out.print(plain(f"Fault: {name}, {count} {kind}."), style="red")
