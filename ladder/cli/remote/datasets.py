"""Datasets of a server: `ladle dataset list`, `pull`, `verify` and `sample`."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.arguments import ForceOption, JsonOption, find_game, must_be_new
from ladder.cli.output import complain, console, plain, show_json, table
from ladder.cli.remote.connection import ServerOption, as_json, connected
from ladle.errors import Refusal

if TYPE_CHECKING:
    from ladder.client import Client
    from ladder.contract.datasets import Dataset

dataset = typer.Typer(
    add_completion=False,
    rich_markup_mode="rich",
    no_args_is_help=True,
    help="List, download and verify datasets of what was played on a server.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
BoardArgument = Annotated[
    str, typer.Argument(metavar="GAME/SEATS", help="A board, such as ramen_ramen/2.")
]
PeriodArgument = Annotated[
    str, typer.Argument(metavar="PERIOD", help="A day, 2026-11-17, or a month, 2026-11.")
]


@dataset.command("list")
def list_(
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="Only this game.")
    ] = None,
    seats: Annotated[int | None, typer.Option(metavar="K", help="At this seat count.")] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help="How many rows at most.")
    ] = 30,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """List datasets, newest first.

    Examples:

      [cyan]ladle dataset list --game ramen_ramen[/cyan]
    """
    slug = find_game(game).slug if game else None
    with connected(server) as client:
        found = list(islice(client.datasets(game=slug, seats=seats), limit))
    if json_wanted:
        show_json(as_json(found))
        return
    numbers = ("matches", "plays", "decisions", "bytes")
    listing = table("period", "board", *numbers, "state", right=numbers)
    for one in found:
        size = sum(file.size for file in one.files)
        counts = (one.matches, one.plays, one.decisions, size)
        state = "sealed" if one.is_sealed else "not complete yet"
        listing.add_row(
            one.period, f"{one.game}/{one.seats}", *(f"{count:,}" for count in counts), state
        )
    console().print(listing)


@dataset.command()
def pull(
    board: BoardArgument,
    period: PeriodArgument,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Into this folder.")
    ] = None,
    force: ForceOption = False,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Download a dataset into a folder, and check each file by its SHA-256.

    Examples:

      [cyan]ladle dataset pull ramen_ramen/2 2026-11-17[/cyan]
    """
    with connected(server) as client:
        found = _find(client, board, period)
        folder = output or Path(f"{found.game}-{found.seats}-{found.period}")
        must_be_new(folder, force)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            for file in found.files:
                if Path(file.name).name != file.name:
                    raise Refusal(f"the server names a file '{file.name}', which is not valid.")
                client.dataset_file(found.id, file, folder / file.name)
        except OSError as error:
            raise Refusal(f"{folder} cannot be written: {error.strerror}.") from None
    size = sum(file.size for file in found.files)
    if json_wanted:
        show_json(as_json(found) | {"folder": str(folder)})
    else:
        typer.echo(f"{folder}: {len(found.files)} files, {size:,} bytes, every SHA-256 checked.")


@dataset.command()
def verify(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR", help="Folders that `pull` has written.")
    ],
    json_wanted: JsonOption = False,
) -> None:
    """Execute every play of a dataset again, and compare results and digests.

    Works offline. A day's plays are rebuilt from their seeds and recorded actions; a month's
    replays are refereed as `ladle verify` does.

    Examples:

      [cyan]ladle dataset verify ramen_ramen-2-2026-11-17[/cyan]
    """
    from ladle.data import verify as check

    lines = []
    for folder in folders:
        try:
            found, is_true = check(folder), True
            line = (
                f"ok, {found.files} files as listed, {found.plays:,} plays with"
                f" {found.decisions:,} decisions executed again, all as recorded"
            )
        except Refusal as error:
            line, is_true = str(error), False
        lines.append({"folder": str(folder), "ok": is_true, "sentence": line})
        if json_wanted:
            continue
        if is_true:
            typer.echo(f"{folder}: {line}")
        else:
            complain(line)
    if json_wanted:
        show_json(lines)
    if not all(one["ok"] for one in lines):
        raise typer.Exit(1)


@dataset.command()
def sample(
    board: BoardArgument,
    period: PeriodArgument,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Save all 1,000 rows as Parquet."),
    ] = None,
    limit: Annotated[
        int, typer.Option("--limit", metavar="N", min=1, help="How many rows to show.")
    ] = 20,
    force: ForceOption = False,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Show some decisions of a day, of a random sample of 1,000.

    Examples:

      [cyan]ladle dataset sample ramen_ramen/2 2026-11-17 --limit 5[/cyan]
    """
    from tempfile import TemporaryDirectory

    from ladder.contract.datasets import SAMPLE
    from ladle.data.folder import rows

    if output is not None:
        must_be_new(output, force)
    with TemporaryDirectory() as folder, connected(server) as client:
        found = _find(client, board, period)
        files = [file for file in found.files if file.name == SAMPLE]
        if not files:
            raise Refusal(f"{found.period} has no sample: choose a day, not a month.")
        path = output or Path(folder) / SAMPLE
        client.dataset_file(found.id, files[0], path)
        shown = list(islice(rows(path), limit))
    if json_wanted:
        show_json(shown)
        return
    names = list(shown[0]) if shown else ["match"]
    listing = table(*names)
    for row in shown:
        listing.add_row(*(plain("" if row[name] is None else str(row[name])) for name in names))
    console().print(listing)
    if output is not None:
        typer.echo(f"Wrote {output}, {files[0].rows:,} rows.")


def _find(client: Client, board: str, period: str) -> Dataset:
    from ladder.contract.datasets import PERIOD

    game, slash, seats = board.partition("/")
    if not (slash and seats.isascii() and seats.isdigit()):
        raise Refusal(f"'{board}' is not a board: write it as GAME/SEATS, such as ramen_ramen/2.")
    if not re.match(PERIOD, period):
        raise Refusal(f"'{period}' is not a day or month: write it as 2026-11-17 or 2026-11.")
    slug = find_game(game).slug
    found = next(client.datasets(game=slug, seats=int(seats), period=period), None)
    if found is None:
        raise Refusal(f"the server has no dataset of {slug}/{seats} for {period}.")
    return found
