"""Reading from a server: `ladle ladder`, `bots`, `matches`, `replay` and `logs`."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.arguments import GameArgument, JsonOption, find_game
from ladder.cli.output import console, indented, plain, show_json, table
from ladder.cli.remote.connection import ServerOption, as_json, connected, find_bot
from ladder.ratings.intervals import interval_in_words
from ladle.errors import Refusal

if TYPE_CHECKING:
    from ladder.client import Client
    from ladder.contract.matches import Entry, Match

GameOption = Annotated[str | None, typer.Option("--game", metavar="GAME", help="Only this game.")]
BotOption = Annotated[str | None, typer.Option(metavar="BOT", help="Of this bot: id or name.")]
VersionOption = Annotated[
    int | None, typer.Option("--version", metavar="N", help="Of this version of --bot.")
]
OwnerOption = Annotated[str | None, typer.Option(metavar="NAME", help="Of this author's bots.")]
SinceOption = Annotated[
    str | None,
    typer.Option(
        metavar="MOMENT",
        help="Created then or later: 2026-11-17, or 2026-11-17T08:00:00Z (UTC).",
        callback=lambda text: f"{text}T00:00:00Z" if text and len(text) == 10 else text,
    ),
]
LimitOption = Annotated[
    int, typer.Option("--limit", metavar="N", min=1, help="How many rows at most.")
]


def ladder(
    game: GameArgument,
    seats: Annotated[int, typer.Argument(metavar="SEATS", help="Seats at the table.")],
    tick: Annotated[
        int | None, typer.Option("--tick", metavar="N", help="As it stood after this tick.")
    ] = None,
    provisional: Annotated[
        bool, typer.Option("--provisional", help="The bots that are not ranked yet.")
    ] = False,
    limit: LimitOption = 50,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Show a ladder of the server.

    Examples:

      [cyan]ladle ladder ramen_ramen 2[/cyan]
      [cyan]ladle ladder hot_ramen 4 --tick 100 --json[/cyan]
    """
    rules = find_game(game)
    with connected(server) as client:
        found = client.ladder(
            rules.slug,
            seats,
            tick=tick,
            provisional=provisional or None,
            page_size=min(limit, 200),
        )
    if json_wanted:
        show_json(as_json(found))
        return
    numbers = ("rank", "Elo", "95%", "win rate", "plays")
    listing = table("rank", "bot", "owner", *numbers[1:], right=numbers)
    for row in found.results:
        listing.add_row(
            str(row.rank or "–"),
            plain(f"{row.bot.name} v{row.version}"),
            plain(row.bot.owner),
            f"{row.elo:.0f}",
            interval_in_words(row.elo, row.low, row.high),
            "" if row.win_rate is None else f"{row.win_rate:.0%}",
            str(row.plays),
        )
    out = console()
    out.print(listing)
    out.print(f"after tick {found.tick}" if found.tick else "nothing has been rated yet")


def bots(
    game: GameOption = None,
    owner: Annotated[str | None, typer.Option(metavar="NAME", help="Of this author.")] = None,
    search: Annotated[
        str | None, typer.Option(metavar="TEXT", help="By a part of the name.")
    ] = None,
    everyone: Annotated[
        bool, typer.Option("--all", help="Everybody's bots, not only your own.")
    ] = False,
    limit: LimitOption = 100,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """List your bots on the server, or others'.

    Examples:

      [cyan]ladle bots[/cyan]
      [cyan]ladle bots --all --game ramen_ramen --search soup[/cyan]
    """
    slug = find_game(game).slug if game else None
    mine = not (everyone or owner or search) or None
    with connected(server) as client:
        if mine:
            client.me()  # without a token nobody's bots are meant: say so
        found = list(islice(client.bots(game=slug, owner=owner, search=search, mine=mine), limit))
    if json_wanted:
        show_json(as_json(found))
        return
    listing = table("id", "bot", "game", "owner", "version", "status", right=("id",))
    for bot in found:
        version = f"v{bot.active_version}" if bot.active_version else "none accepted"
        listing.add_row(
            str(bot.id), plain(bot.name), bot.game, plain(bot.owner), version, bot.status
        )
    console().print(listing)


def matches(
    game: GameOption = None,
    seats: Annotated[int | None, typer.Option(metavar="K", help="At this seat count.")] = None,
    kind: Annotated[
        str | None, typer.Option(metavar="KIND", help="ladder, challenge, tournament or trial.")
    ] = None,
    status: Annotated[
        str | None, typer.Option(metavar="STATUS", help="queued, running, finished, void, ...")
    ] = None,
    bot: BotOption = None,
    version: VersionOption = None,
    owner: OwnerOption = None,
    since: SinceOption = None,
    limit: LimitOption = 20,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """List matches of the server, newest first.

    Examples:

      [cyan]ladle matches --bot "Soup Star" --status finished[/cyan]
      [cyan]ladle matches --bot "Soup Star" --version 3 --since 2026-11-17[/cyan]
    """
    with connected(server) as client:
        asked = client.matches(
            **named(client, game=game, bot=bot, version=version),
            **{"seats": seats, "kind": kind, "status": status, "owner": owner, "since": since},
        )
        found = list(islice(asked, limit))
    if json_wanted:
        show_json(as_json(found))
        return
    listing = table("id", "board", "kind", "status", "who (rank)", right=("id",))
    for match in found:
        board = f"{match.game}/{match.seats}"
        listing.add_row(str(match.id), board, match.kind, match.status, plain(_who(match)))
    console().print(listing)


def replay(
    where: Annotated[
        str, typer.Argument(metavar="MATCH[/PLAY]", help="A match's id, and which play of it.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Where to; .json or .json.gz."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All plays of the match, in one zip.")
    ] = False,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Download a replay.

    Without a play's number the first one is taken. `ladle verify` then referees the file.

    Examples:

      [cyan]ladle replay 4711/2 -o r.json.gz && ladle verify r.json.gz[/cyan]
      [cyan]ladle replay 4711 --all -o match.zip[/cyan]
    """
    from ladle.files import write_bytes

    match, _, play = where.partition("/")
    if not all(part.isascii() and part.isdigit() for part in (match, play or "0")):
        raise Refusal(f"'{where}' is not of the form MATCH or MATCH/PLAY, such as 4711/2.")
    if everything and play:
        raise Refusal("a zip has all plays: name the match alone with --all.")
    name = f"match-{match}.zip" if everything else f"match-{match}-play-{play or 0}.json.gz"
    path = output or Path(name)
    with connected(server) as client:
        if everything:
            data = client.replays(int(match))
        else:
            data = client.replay(int(match), int(play or 0), packed=path.suffix != ".json")
    write_bytes(path, data)
    if json_wanted:
        which = None if everything else int(play or 0)
        show_json({"match": int(match), "play": which, "file": str(path)})
    else:
        typer.echo(f"Wrote {path}, {len(data):,} bytes.")


def logs(
    match: Annotated[int, typer.Argument(metavar="MATCH", help="A match's id.")],
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Show what your bots printed in a match, and the evidence of their faults.

    Examples:

      [cyan]ladle logs 4711[/cyan]
    """
    with connected(server) as client:
        found = client.logs(match)
        names = {entry.slot: entry.name for entry in client.match(match).entries}
    if json_wanted:
        show_json(as_json(found))
        return
    out = console()
    for one in found:
        out.print(plain(f"{names.get(one.slot, one.bot)} v{one.version}"), style="bold")
        out.print(plain(indented(one.log) or "    (it printed nothing)"), soft_wrap=True)
        for fault in one.faults:
            sentence = f"play {fault.play + 1}, seat {fault.seat + 1}: {fault.sentence}"
            out.print(plain(sentence), style="red", soft_wrap=True)
            if fault.detail:
                out.print(plain(indented(fault.detail)), soft_wrap=True)


def named(
    client: Client, *, game: str | None, bot: str | None, version: int | None
) -> dict[str, Any]:
    """The filters that stand for names that people write."""
    if version is not None and bot is None:
        raise Refusal("--version is a number within one bot: add --bot.")
    slug = find_game(game).slug if game else None
    return {
        "game": slug,
        "bot": find_bot(client, bot, game=slug).id if bot else None,
        "version": version,
    }


def _who(match: Match) -> str:
    def one(entry: Entry) -> str:
        rank = "" if entry.rank is None else f" ({entry.rank})"
        return f"{entry.name} v{entry.version}{rank}"

    by_rank = sorted(match.entries, key=lambda entry: (entry.rank or 0, entry.slot))
    return ", ".join(one(entry) for entry in by_rank)
