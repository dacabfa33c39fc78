"""Asking a server for contests: `ladle challenge`, `trial` and `tournament`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.arguments import GameArgument, JsonOption, SeedOption, find_game
from ladder.cli.output import console, plain, plural, show_json, table
from ladder.cli.remote.connection import ServerOption, as_json, connected, find_bot
from ladle.errors import Refusal

if TYPE_CHECKING:
    from ladder.client.shapes import Entrant

BotArgument = Annotated[
    str, typer.Argument(metavar="BOT", help="A bot of yours on the server: its id or name.")
]
SeatsOption = Annotated[
    int | None, typer.Option("--seats", metavar="K", help="Seats at the table.")
]
TournamentArgument = Annotated[int, typer.Argument(metavar="TOURNAMENT", help="A tournament's id.")]


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


tournament = typer.Typer(
    help="Tournaments of the server: list, show, enrol, withdraw, record, preview.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@tournament.command("list")
def list_tournaments(
    status: Annotated[
        str | None, typer.Option(metavar="STATUS", help="enrolling, running, finished, ...")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1)] = 20,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """List tournaments, newest first."""
    with connected(server) as client:
        found = list(islice(client.tournaments(status=status), limit))
    if json_wanted:
        show_json(as_json(found))
        return
    listing = table("id", "name", "board", "format", "status", "by", right=("id",))
    for one in found:
        board = f"{one.game}/{one.seats}"
        listing.add_row(
            str(one.id), plain(one.name), board, one.format, one.status, plain(one.organiser)
        )
    console().print(listing)


@tournament.command("show")
def show_tournament(
    which: TournamentArgument, server: ServerOption = None, json_wanted: JsonOption = False
) -> None:
    """Show a tournament and its entrants."""
    with connected(server) as client:
        found = client.tournament(which)
        page = f"{client.server}{found.page}"
    if json_wanted:
        show_json(as_json(found) | {"page": page})
        return
    out = console()
    out.print(plain(f"{found.name}: {found.format} on {found.game}/{found.seats}"), style="bold")
    out.print(plain(f"{found.status}, by {found.organiser}, {page}"), soft_wrap=True)
    numbers = ("rank", "seed")
    listing = table(*numbers, "bot", "owner", "status", right=numbers)
    for one in sorted(found.entrants, key=_order):
        version = f" v{one.version}" if one.version else ""
        listing.add_row(
            str(one.final_rank or ""),
            str(one.seed or ""),
            plain(f"{one.name}{version}"),
            plain(one.owner),
            one.status,
        )
    out.print(listing)


@tournament.command("record")
def tournament_record(
    which: TournamentArgument, server: ServerOption = None, json_wanted: JsonOption = True
) -> None:
    """Print everything to check a tournament by, as JSON for `ladle verify --tournament`."""
    with connected(server) as client:
        show_json(client.tournament_record(which))


@tournament.command("preview")
def preview(
    game: GameArgument,
    seats: Annotated[int, typer.Argument(metavar="SEATS", help="Seats at the table.")],
    format: Annotated[str, typer.Argument(metavar="FORMAT", help="swiss, round_robin, ...")],
    entrants: Annotated[int, typer.Option("--entrants", metavar="N", help="Places.")] = 16,
    sets: Annotated[int, typer.Option("--sets", metavar="N", help="Sets per match.")] = 1,
    options: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="NAME=N", help="Of the format; may be repeated."),
    ] = None,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Tell what a tournament would be: rounds, matches and about how long.

    Examples:

      [cyan]ladle tournament preview ramen_ramen 2 swiss --entrants 32 --option rounds=6[/cyan]
    """
    rules = find_game(game)
    with connected(server) as client:
        found = client.preview_tournament(
            game=rules.slug,
            seats=seats,
            format=format,
            max_entrants=entrants,
            sets=sets,
            format_options=_numbers(options or ()),
        )
    if json_wanted:
        show_json(as_json(found))
        return
    minutes = f"about {found.duration_s / 60:.0f} min" if found.duration_s >= 60 else "under 1 min"
    parts = [plural(found.rounds, "round"), f"{found.matches:,} matches", f"{found.plays:,} plays"]
    guess = "" if found.is_measured else " (a guess: nobody has played there yet)"
    typer.echo(f"{found.entrants} entrants: {', '.join(parts)}, {minutes}{guess}.")
    typer.echo(f"{found.note[:1].upper()}{found.note[1:]}.")


@tournament.command("enrol")
def enrol(
    which: TournamentArgument,
    bot: BotArgument,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Enter a bot of yours."""
    with connected(server) as client:
        made = client.enrol(which, find_bot(client, bot, mine=True).id)
    _tell(made, json_wanted)


@tournament.command("withdraw")
def withdraw(
    which: TournamentArgument,
    bot: BotArgument,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Take a bot of yours out."""
    with connected(server) as client:
        gone = client.withdraw(which, find_bot(client, bot, mine=True).id)
    _tell(gone, json_wanted)


def _numbers(texts: Iterable[str]) -> dict[str, int]:
    chosen = {}
    for text in texts:
        name, _, value = text.partition("=")
        if not (name and value.isascii() and value.isdigit() and len(value) < 5):
            raise Refusal(f"option '{text}' is not of the form NAME=N, such as rounds=6.")
        chosen[name] = int(value)
    return chosen


def _tell(entrant: Entrant, json_wanted: bool) -> None:
    if json_wanted:
        show_json(as_json(entrant))
    else:
        typer.echo(f"{entrant.name} is {entrant.status}.")


def _order(entrant: Entrant) -> tuple[int, int, str]:
    return entrant.final_rank or 10**6, entrant.seed or 10**6, entrant.name
