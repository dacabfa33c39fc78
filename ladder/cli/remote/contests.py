"""Asking a server for contests: `ladle challenge` and `trial`."""

from __future__ import annotations

from typing import Annotated

import typer

from ladder.cli.arguments import JsonOption, SeedOption
from ladder.cli.output import show_json
from ladder.cli.remote.connection import ServerOption, as_json, connected, find_bot

BotArgument = Annotated[
    str, typer.Argument(metavar="BOT", help="A bot of yours on the server: its id or name.")
]
SeatsOption = Annotated[
    int | None, typer.Option("--seats", metavar="K", help="Seats at the table.")
]


def challenge(
    bot: BotArgument,
    opponents: Annotated[
        list[str] | None,
        typer.Argument(metavar="OPPONENT", help="Other bots: ids or names; none for solo."),
    ] = None,
    seats: SeatsOption = None,
    seed: SeedOption = None,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Let a bot of yours play an unrated match against bots of your choice.

    Examples:

      [cyan]ladle challenge "Soup Star" "House Greedy"[/cyan]
    """
    with connected(server) as client:
        own = find_bot(client, bot, mine=True)
        others = [find_bot(client, text, game=own.game).id for text in opponents or ()]
        match = client.challenge(
            game=own.game,
            seats=seats or 1 + len(others),
            bot=own.id,
            opponents=others,
            seed=seed,
        )
        page = f"{client.server}{match.page}"
    if json_wanted:
        show_json(as_json(match) | {"page": page})
    else:
        typer.echo(f"Match {match.id} is {match.status}: {page}")


def trial(
    bot: BotArgument,
    old: Annotated[int, typer.Argument(metavar="OLD", help="The old version's number.")],
    new: Annotated[int, typer.Argument(metavar="NEW", help="The new version's number.")],
    seats: SeatsOption = 2,
    promote: Annotated[
        bool, typer.Option("--promote", help="Let the new version play if it is better.")
    ] = False,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Find out whether a new version of your bot is better than an old one.

    Both play duplicate pairs against each other until the answer shows.

    Examples:

      [cyan]ladle trial "Soup Star" 2 3 --promote[/cyan]
    """
    with connected(server) as client:
        own = find_bot(client, bot, mine=True)
        begun = client.start_trial(bot=own.id, old=old, new=new, seats=seats, promote=promote)
        page = f"{client.server}{begun.page}"
    if json_wanted:
        show_json(as_json(begun) | {"page": page})
    else:
        typer.echo(f"Trial {begun.id} is {begun.status}: {page}")
