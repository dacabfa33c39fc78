"""`ladle new`: a bot to start from, with a real view of the game explained in it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.arguments import ForceOption, GameArgument, JsonOption, find_game, must_be_new
from ladder.cli.output import show_json
from ladle.errors import Refusal


def new(
    game: GameArgument,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Where to write it; my_GAME_bot.py if not given."),
    ] = None,
    like: Annotated[
        str | None, typer.Option(metavar="BOT", help="Start from a copy of this house bot instead.")
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Write a starter bot, which plays at random and explains what it sees.

    The file's extension decides the language: .py, .js, or .c, .cpp, .go, .rs and .zig for a bot
    that is compiled to WebAssembly. Its comments hold the first view of a real play of the game.
    Change what it decides, and you have your own bot.

    Examples:

      [cyan]ladle new ramen_ramen[/cyan]
      [cyan]ladle new ramen_ramen soup.js[/cyan]
      [cyan]ladle new ramen_ramen soup.c[/cyan]
      [cyan]ladle new ramen_ramen soup.py --like greedy[/cyan]
    """
    from ladle.bots import find_bot
    from ladle.files import write_bytes
    from sandbox.languages import STARTERS
    from sandbox.program.starter import starter

    rules = find_game(game)
    path = file or Path(f"my_{rules.slug}_bot.py")
    if path.is_dir():
        raise Refusal(f"{path} is a folder; give a file name.")
    if like is None:
        endings = tuple(STARTERS)
    else:
        bot = find_bot(rules, like)
        endings = (bot.path.suffix,)
        if file is None:
            path = path.with_suffix(bot.path.suffix)
    if path.suffix not in endings:
        raise Refusal(f"{path} must end in {' or '.join(endings)}.")
    must_be_new(path, force)
    content = (
        starter(rules, path.suffix, path.stem).encode() if like is None else bot.program.content
    )
    write_bytes(path, content)
    if as_json:
        show_json({"game": rules.slug, "file": str(path)})
        return
    opponents = ["random"] * (max(2, rules.seats[0]) - 1)
    typer.echo(f"Wrote {path}. Try it:")
    build = STARTERS[path.suffix].build if path.suffix in STARTERS else ""
    if build:
        typer.echo(f"  {build.format(stem=path.with_suffix(''))}")
        path = path.with_suffix(".wasm")
    typer.echo(f"  ladle play {rules.slug} {path} {' '.join(opponents)} --log")
