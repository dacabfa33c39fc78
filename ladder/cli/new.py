"""`ladle new`: a bot to start from, with a real view of the game explained in it."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.arguments import GameArgument, find_game
from ladder.cli.output import Refusal

if TYPE_CHECKING:
    from engine.game import Game
    from engine.match import Question

WIDTH = 96


def new(
    game: GameArgument,
    file: Annotated[
        Path | None,
        typer.Argument(metavar="FILE", help="Where to write it; my_GAME_bot.py if not given."),
    ] = None,
    like: Annotated[
        str | None, typer.Option(metavar="BOT", help="Start from a copy of this house bot instead.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Write a bot that runs, plays at random, and explains what it is shown.

    The script's comments hold the first view of a real play of the game. Change one function,
    `decide(view)`, and you have your own bot.

    Examples:

      [cyan]ladle new ramen_ramen[/cyan]
      [cyan]ladle new ramen_ramen soup.py --like greedy[/cyan]
    """
    from ladder.cli.bots import find_bot
    from ladder.cli.files import write_bytes

    rules = find_game(game)
    path = file or Path(f"my_{rules.slug}_bot.py")
    if path.is_dir():
        raise Refusal(f"{path} is a folder; give the name of a file.")
    if like is None:
        ending, source = ".py", starter(rules)
    else:
        bot = find_bot(rules, like)
        ending, source = bot.path.suffix, bot.source
        if file is None:
            path = path.with_suffix(ending)
    if path.suffix != ending:
        raise Refusal(f"{path} must end in {ending}.")
    if path.exists() and not force:
        raise Refusal(f"{path} exists; choose another name, or --force to write over it.")
    write_bytes(path, source.encode())
    opponents = ["random"] * (max(2, rules.seats[0]) - 1)
    typer.echo(f"{path} is written. Try it:")
    typer.echo(f"  ladle play {rules.slug} {path} {' '.join(opponents)} --log")


def starter(game: Game) -> str:
    """The source of a bot that picks at random, with the game's first question explained."""
    from engine.chance import SeededChance
    from engine.match import question

    state = game.start(max(2, game.seats[0]), SeededChance(1), None)
    assert state.to_act is not None
    asked = question(state, state.to_act, [])
    menu = "legal" if asked.legal is not None else "suggestions"
    return TEMPLATE.format(
        title=game.title,
        slug=game.slug,
        seats=f"{game.seats[0]} to {game.seats[-1]}",
        menu=menu,
        menu_words=_menu_words(asked),
        view=_comment(_sketch(asked.view)),
        choices=_comment(_sketch({menu: getattr(asked, menu)})),
        bank=game.limits.bank_ms,
        increment=game.limits.increment_ms,
    )


def _menu_words(asked: Question) -> str:
    if asked.legal is not None:
        words = 'view["legal"] lists every action you may answer with, as texts.'
    else:
        words = (
            'The actions are too many to list: view["suggestions"] has some to choose from, and'
            ' view["ranges"] says what an action of your own may be.'
        )
    return "\n".join(textwrap.wrap(words, WIDTH, initial_indent="# ", subsequent_indent="# "))


def _sketch(fields: dict[str, Any]) -> str:
    """A field per line, the long ones cut: enough to see the shape."""
    lines = []
    for name, value in fields.items():
        line = f'"{name}": {json.dumps(value, ensure_ascii=False)}'
        lines.append(line if len(line) <= WIDTH - 4 else f"{line[: WIDTH - 8]} ...")
    return "\n".join(lines)


def _comment(text: str) -> str:
    return "\n".join(f"#     {line}" for line in text.splitlines())


TEMPLATE = '''"""A bot for {title}, to start from: it plays at random.

    ladle play {slug} THIS_FILE random --log     play once and see what it printed
    ladle arena {slug} THIS_FILE random          play many times and see who is better
    ladle check THIS_FILE --game {slug}          would the ladder take it?
"""

import random

# `decide(view)` is called each time it is your turn. `view` is a dict: what you may know, and
# nothing you may not. At the first turn of a play of two it looks like this:
#
{view}
#
{menu_words}
#
{choices}
#
# Beside these, view["events"] is what happened since your last turn, and view["cpu_left_ms"]
# is the CPU time you have left: a play begins with {bank} ms, and each decision adds {increment}.
# The rules page of the game explains every field.


def decide(view):
    """Return one action, as a text."""
    choices = view["{menu}"]
    action = random.choice(choices)
    print(f"seat {{view['seat']}} chose {{action}} of {{len(choices)}}")  # goes to the bot's log
    return action


# To know more about a play, write a class `Bot` with `decide(self, view)` instead, and if you
# like `start(self, info)` and `end(self, info)`: info["seat"] and info["seats"] at the start,
# info["result"] at the end.
#
# To search, let the rules engine play for you. `determinize` deals all you cannot see at random:
#
#     from engine.games import GAMES
#     state = GAMES["{slug}"].determinize(view, random.Random())
#     for action in state.legal():
#         after = state.copy()
#         after.apply(action)
#         ...                          # play on, and see how it ends: after.result()
#     return state.notation(best)
'''
