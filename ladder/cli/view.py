"""`ladle view`: a replay as a page of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.arguments import JsonOption
from ladder.cli.output import show_json
from ladle.errors import Refusal


def view(
    replay: Annotated[Path, typer.Argument(metavar="REPLAY", help="A replay file.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.html", help="Where to write; beside the replay if not."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Write a replay as one HTML file to watch in a browser, offline.

    The file holds the theatre, the drawing and the play as every seat saw it. It loads nothing
    from anywhere, so it can be saved, sent and opened on its own.

    Examples:

      [cyan]ladle view r.json.gz[/cyan]
      [cyan]ladle view r.json.gz -o play.html[/cyan]
    """
    from engine import games
    from engine.errors import EngineError
    from ladder.theatre.offline import page
    from ladle.files import read_replay, write_bytes

    try:
        read = read_replay(replay)
        html = page(games.get(read.game), read, replay.name)
    except EngineError as error:
        raise Refusal(f"{replay}: {error}.") from None
    path = output or replay.with_name(
        replay.name.removesuffix(".gz").removesuffix(".json") + ".html"
    )
    if path.resolve() == replay.resolve():
        raise Refusal(f"{path} is the replay itself; choose another name.")
    write_bytes(path, html.encode())
    if as_json:
        show_json({"replay": str(replay), "file": str(path)})
    else:
        typer.echo(f"written to {path}")
