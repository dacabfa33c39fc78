"""`ladle games`: what can be played here."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import msgspec
import typer

from engine.game import Game
from ladder.cli.output import console, show_json, table


def games(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """List the games, their seat counts, options and house bots; with --json, their limits too.

    A house bot's name can stand wherever a verb takes a BOT.

    Examples:

      [cyan]ladle games[/cyan]
      [cyan]ladle games --json[/cyan]
    """
    from engine.games import GAMES

    lines = [_describe(game) for game in GAMES.values()]
    if as_json:
        show_json(lines)
        return
    listing = table("game", "title", "seats", "rules", "options", "house bots", right=("rules",))
    for game in lines:
        options = "\n".join(f"{o['name']}={o['default']}" for o in game["options"])
        seats = f"{game['seats'][0]}-{game['seats'][-1]}"
        listing.add_row(
            game["slug"],
            game["title"],
            seats,
            str(game["rules_version"]),
            options,
            "\n".join(game["house_bots"]),
        )
    console().print(listing)


def _describe(game: Game) -> dict[str, Any]:
    from ladder.contract.games import Game as Told

    told: dict[str, Any] = msgspec.to_builtins(Told.of(game))
    return told | {"limits": asdict(game.limits), "rules": str(game.folder / "RULES.md")}
