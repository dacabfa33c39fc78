"""Tournaments of a server: `ladle tournament list`, `create`, `start`, `enrol` and so on."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from time import sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.arguments import GameArgument, JsonOption, find_game
from ladder.cli.output import console, plain, plural, show_json, table
from ladder.cli.remote.connection import ServerOption, as_json, connected, find_bot
from ladder.cli.remote.contests import BotArgument
from ladle.errors import Refusal

if TYPE_CHECKING:
    from ladder.client import Client
    from ladder.contract.tournaments import Entrant, TournamentDetail

TournamentArgument = Annotated[int, typer.Argument(metavar="TOURNAMENT", help="A tournament's id.")]
SeatsArgument = Annotated[int, typer.Argument(metavar="SEATS", help="Seats at the table.")]
EntrantsOption = Annotated[int, typer.Option("--entrants", metavar="N", help="Places.")]
FormatArgument = Annotated[str, typer.Argument(metavar="FORMAT", help="swiss, round_robin, ...")]
SetsOption = Annotated[int, typer.Option("--sets", metavar="N", min=1, help="Sets per match.")]
FormatOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=N", help="Of the format; may be repeated."),
]
LOOK_EVERY_S = 2.0

tournament = typer.Typer(
    help="""Run tournaments, here or on a server.

    `run` plays one on this machine, by the site's formats. All others speak to a server: an
    organiser creates a tournament, authors enrol their bots, and it runs itself once it starts.

    Examples:

      [cyan]ladle tournament run ramen_ramen my_bot.py greedy random --sets 5[/cyan]
      [cyan]ladle tournament create ramen_ramen 2 swiss --name "Ladle Cup"[/cyan]
      [cyan]ladle tournament start 7 --wait[/cyan]
    """,
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
        _show(client, client.tournament(which), json_wanted)


def _show(client: Client, found: TournamentDetail, json_wanted: bool) -> None:
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
    """Print a tournament's full record, as JSON for `ladle verify --tournament`."""
    with connected(server) as client:
        show_json(client.tournament_record(which))


@tournament.command("preview")
def preview(
    game: GameArgument,
    seats: SeatsArgument,
    format: FormatArgument,
    entrants: EntrantsOption = 16,
    sets: SetsOption = 1,
    options: FormatOption = None,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Preview a tournament: rounds, matches and about how long it takes.

    Examples:

      [cyan]ladle tournament preview ramen_ramen 2 swiss --entrants 32[/cyan]
    """
    rules = find_game(game)
    with connected(server) as client:
        found = client.preview_tournament(
            game=rules.slug,
            seats=seats,
            format=format,
            max_entrants=entrants,
            sets=sets,
            format_options=format_options(options or ()),
        )
    if json_wanted:
        show_json(as_json(found))
        return
    minutes = f"about {found.duration_s / 60:.0f} min" if found.duration_s >= 60 else "under 1 min"
    parts = [plural(found.rounds, "round"), f"{found.matches:,} matches", f"{found.plays:,} plays"]
    guess = "" if found.is_measured else " (a guess: nobody has played there yet)"
    typer.echo(f"{found.entrants} entrants: {', '.join(parts)}, {minutes}{guess}.")
    typer.echo(f"{found.note[:1].upper()}{found.note[1:]}.")


@tournament.command("create")
def create(
    game: GameArgument,
    seats: SeatsArgument,
    format: FormatArgument,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What to call it.")],
    entrants: EntrantsOption = 16,
    sets: SetsOption = 1,
    options: FormatOption = None,
    entry: Annotated[
        str, typer.Option("--entry", metavar="HOW", help="open, invitation or top.")
    ] = "open",
    top: Annotated[
        int | None, typer.Option("--top", metavar="N", help="With --entry top: how many.")
    ] = None,
    private: Annotated[
        bool, typer.Option("--private", help="Only those who take part can see it.")
    ] = False,
    open_class: Annotated[
        bool, typer.Option("--open-class", help="Remote bots may take part.")
    ] = False,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Make a tournament on the server, open for enrolment.

    Examples:

      [cyan]ladle tournament create ramen_ramen 2 swiss --name "Cup" --option rounds=5[/cyan]
    """
    fields: dict[str, Any] = {"max_entrants": entrants, "sets": sets, "entry": entry}
    fields |= {"format_options": format_options(options or ()), "is_public": not private}
    fields["is_open_class"] = open_class
    if top is not None:
        fields["top_count"] = top
    rules = find_game(game)
    with connected(server) as client:
        made = client.create_tournament(
            game=rules.slug, seats=seats, format=format, name=name, **fields
        )
        if json_wanted:
            _show(client, made, json_wanted)
            return
        typer.echo(f"Tournament {made.id}, {made.name}, is {made.status}:")
        typer.echo(f"  {client.server}{made.page}")
        typer.echo(f"  ladle tournament enrol {made.id} BOT")
        typer.echo(f"  ladle tournament start {made.id} --wait")


@tournament.command("start")
def start(
    which: TournamentArgument,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait until it is over and show how it ended.")
    ] = False,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Start a tournament of yours: it then runs by itself.

    Examples:

      [cyan]ladle tournament start 7 --wait[/cyan]
    """
    with connected(server) as client:
        found = client.start_tournament(which)
        while wait and found.status in ("running", "paused"):
            sleep(LOOK_EVERY_S)
            found = client.tournament(which)
        _show(client, found, json_wanted)


@tournament.command("enrol")
def enrol(
    which: TournamentArgument,
    bot: BotArgument,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Enter a bot of yours; the organiser may enter house bots too."""
    with connected(server) as client:
        game = client.tournament(which).game
        made = client.enrol(which, find_bot(client, bot, game=game).id)
    _tell(made, json_wanted)


@tournament.command("check-in")
def check_in(
    which: TournamentArgument,
    bot: BotArgument,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Check in one of your bots before the start."""
    with connected(server) as client:
        there = client.check_in(which, find_bot(client, bot, mine=True).id)
    if json_wanted:
        show_json(as_json(there))
    else:
        typer.echo(f"{there.name} is checked in.")


@tournament.command("withdraw")
def withdraw(
    which: TournamentArgument,
    bot: BotArgument,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Withdraw one of your bots."""
    with connected(server) as client:
        game = client.tournament(which).game
        gone = client.withdraw(which, find_bot(client, bot, game=game).id)
    _tell(gone, json_wanted)


def format_options(texts: Iterable[str]) -> dict[str, int]:
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
