"""`ladle tournament`: the verbs of a server's tournaments, and `run`, which plays one here."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:
    from ladle.tournament import Tournament


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
      [cyan]ladle tournament run hot_ramen *.py --format swiss --option rounds=5[/cyan]
    """
    from ladder.cli.modes import choose_mode
    from ladle.bots import find_bots
    from ladle.progress import bar
    from ladle.tournament import resumed

    rules = find_game(game)
    must_seat(rules, seats)
    cup = resumed(
        record,
        rules,
        seats,
        find_bots(rules, bots),
        format=format,
        seed=None if seed is None else chosen_seed(seed),
        sets=sets,
        options=format_options(options or ()),
    )
    mode = choose_mode(in_process=in_process, no_sandbox=no_sandbox)
    with bar(cup.expected, "sets") as advance:
        for _ in cup.recorded(record, mode, jobs):
            advance()
    if as_json:
        show_json(cup.record())
    else:
        _show(cup)
        if record is not None:
            typer.echo(f"record written to {record}")
    if cup.has_own_fault:
        raise typer.Exit(FAULT)


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
