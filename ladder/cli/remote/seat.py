"""`ladle remote` and `ladle connect`: bots that play over the network."""

from __future__ import annotations

import os
import shutil
import signal
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.arguments import JsonOption, find_game
from ladder.cli.output import console, plain, show_json
from ladder.cli.remote.connection import ServerOption, as_json, chosen_server, connected, find_bot
from ladder.cli.remote.tables import shown
from ladle.errors import Refusal

if TYPE_CHECKING:
    from ladder.contract.remote import IssuedRemote
    from ladle.remote import Line

TOKEN = "LADLE_BOT_TOKEN"
remote = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="rich",
    help="Make a bot that plays over the network, or a new token for one.",
)


@remote.command()
def create(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The bot's name.")],
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="The game it plays.")],
    description: Annotated[str, typer.Option(help="Model and hardware, in your words.")] = "",
    tempo: Annotated[str, typer.Option(help="fast, normal or slow.")] = "normal",
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Make a remote bot and print its token, which is shown this once.

    Examples:

      [cyan]ladle remote create "Far Broth" --game ramen_ramen --tempo slow[/cyan]
    """
    rules = find_game(game)
    with connected(server) as client:
        fields = {"description": description, "tempo": tempo}
        made = client.create_remote(game=rules.slug, name=name, **fields)
    _show(made, json_wanted)


@remote.command()
def token(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A remote bot of yours: id or name.")],
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Make a new token for a remote bot; the one before stops working at once."""
    with connected(server) as client:
        made = client.renew_remote_token(find_bot(client, bot, mine=True).id)
    _show(made, json_wanted)


def _show(made: IssuedRemote, json_wanted: bool) -> None:
    if json_wanted:
        show_json(as_json(made))
        return
    out = console()
    out.print(plain(f"{made.name} is bot {made.bot}. Its token is shown this once:"))
    out.print(plain(f"{TOKEN}={made.secret}"), soft_wrap=True)
    out.print(plain(f'Set it, then: ladle connect "{made.name}" -- python my_bot.py'))


def connect(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="The remote bot: its id or name.")],
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND ...", help="What plays, one per play.")
    ],
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Let a program on this machine play as a remote bot, by the lines of docs/wire.md.

    The token comes from LADLE_BOT_TOKEN. Ctrl-C takes no new matches and leaves once those under
    way are over; a second Ctrl-C leaves at once. A program that ends within a match is started
    again once.

    Examples:

      [cyan]ladle connect "Far Broth" -- python my_bot.py[/cyan]
    """
    from ladle.programs import Programs
    from ladle.remote import Seat

    secret = os.environ.get(TOKEN, "")
    if not secret:
        raise Refusal(f"set {TOKEN} to the bot's token; `ladle remote token BOT` makes a new one.")
    if shutil.which(command[0]) is None:
        raise Refusal(f"'{command[0]}' cannot be started: there is no such program.")
    seat = Seat(chosen_server(server), secret)
    problem: list[str] = []

    def told(line: Line) -> None:
        if line["type"] == "hello" and bot.lower() not in (str(line["bot"]), line["name"].lower()):
            problem.append(f"this token is for {line['name']} (bot {line['bot']}), not for {bot}.")
            seat.stop()
        elif line["type"] == "failed":
            problem.append(f"the program failed in match {line['play']}: {line['why']}.")
        show(line)

    programs = Programs(seat, command, told)

    def leave(number: int, frame: Any) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        programs.drain()

    signal.signal(signal.SIGINT, leave)
    try:
        with shown(is_json=json_wanted, under_way=lambda: programs.under_way) as show:
            programs.run()
    finally:
        seat.close()
    if problem:
        raise Refusal(problem[0])
