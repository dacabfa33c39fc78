"""`ladle replays`: the replays of many matches in one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.arguments import JsonOption
from ladder.cli.output import show_json
from ladder.cli.remote.connection import ServerOption, connected
from ladder.cli.remote.reading import (
    BotOption,
    GameOption,
    OwnerOption,
    SinceOption,
    VersionOption,
    named,
)
from ladle.errors import Refusal


def replays(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="Where to; .jsonl.gz.")
    ] = Path("replays.jsonl.gz"),
    game: GameOption = None,
    seats: Annotated[int | None, typer.Option(metavar="K", help="At this seat count.")] = None,
    day: Annotated[
        str | None, typer.Option(metavar="DAY", help="Finished on that day (UTC): 2026-11-17.")
    ] = None,
    bot: BotOption = None,
    version: VersionOption = None,
    owner: OwnerOption = None,
    tournament: Annotated[
        int | None, typer.Option(metavar="ID", help="Of this tournament.")
    ] = None,
    since: SinceOption = None,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Download the replays of many matches: of a board, a bot, a tournament or a day.

    The file has a line of JSON for each play, with its match. `ladle verify` referees them all. A
    server sends at most 5,000 matches at once.

    Examples:

      [cyan]ladle replays --game ramen_ramen --seats 2 --day 2026-11-17[/cyan]
      [cyan]ladle replays --tournament 7 -o cup.jsonl.gz && ladle verify cup.jsonl.gz[/cyan]
    """
    filters = {"seats": seats, "day": day, "owner": owner, "tournament": tournament, "since": since}
    with connected(server) as client:
        chosen = named(client, game=game, bot=bot, version=version)
        try:
            client.replay_lines(output, **chosen, **filters)
        except OSError as error:
            raise Refusal(f"{output} cannot be written: {error.strerror}.") from None
    size = output.stat().st_size
    if json_wanted:
        show_json({"file": str(output), "bytes": size})
    else:
        typer.echo(f"Wrote {output}, {size:,} bytes.")
