"""`ladle league`: your own versions against each other and the house bots, rated as on a site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.arguments import (
    InProcessOption,
    JsonOption,
    NoSandboxOption,
    RuleOption,
    SeedOption,
    chosen_options,
    chosen_seed,
    find_game,
    must_seat,
)
from ladder.cli.output import FAULT, complain, console, plain, plural, show_json, table
from ladle.errors import Refusal

if TYPE_CHECKING:
    from ladle.league import League, Line

LeagueArgument = Annotated[
    Path, typer.Argument(metavar="LEAGUE", help="The league's file, such as mine.league.")
]

league = typer.Typer(
    help="""Keep the versions of your bots in a league of their own.

    A league is one file with every version you add, whole, and every set they play. Ratings are
    fitted as on a site, with its intervals and bands; the house bots hold the scale.

    Examples:

      [cyan]ladle league add mine.league my_bot.py --game ramen_ramen[/cyan]
      [cyan]ladle league play mine.league --sets 40[/cyan]
      [cyan]ladle league table mine.league[/cyan]
    """,
    no_args_is_help=True,
    rich_markup_mode="rich",
)


@league.command("add")
def add(
    file: LeagueArgument,
    bots: Annotated[list[str], typer.Argument(metavar="BOT", help="Your scripts or folders.")],
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="To begin a league: its game.")
    ] = None,
    seats: Annotated[
        int | None, typer.Option(metavar="K", help="To begin a league: seats at its tables; 2.")
    ] = None,
    seed: SeedOption = None,
    option: RuleOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add bots, or new versions of them, and begin the league if it is not there yet.

    A bot that is in already is known by its name; when its file has changed, it is the next
    version. The house bots of the game in Python are in every league.

    Examples:

      [cyan]ladle league add mine.league my_bot.py --game ramen_ramen --seats 2[/cyan]
      [cyan]ladle league add mine.league my_bot.py[/cyan]
    """
    from engine import games
    from ladle.bots import find_bots
    from ladle.league import Head, League

    if file.exists():
        if game or seats or seed is not None or option:
            raise Refusal(f"{file} exists: leave out its game, seats, seed and options.")
        own, begun = League(file), None
        rules = games.get(own.head.game)
    else:
        if game is None:
            raise Refusal(f"{file} is a new league: give its game with --game.")
        rules = find_game(game)
        count = 2 if seats is None else seats
        must_seat(rules, count)
        begun = Head(rules.slug, count, chosen_options(rules, option), chosen_seed(seed))
    found = find_bots(rules, bots)
    for bot in found:
        if not bot.is_own:
            raise Refusal(f"{bot.name} is a house bot, and those are in every league.")
    if begun is not None:
        own = League.begin(file, begun)
    added = [own.add(bot) for bot in found]
    if as_json:
        show_json([{"version": one.name, "is_new": is_new} for one, is_new in added])
        return
    for one, is_new in added:
        typer.echo(f"{one.name} is {'added' if is_new else 'in already, unchanged'}.")


@league.command("play")
def play(
    file: LeagueArgument,
    sets: Annotated[int, typer.Option(metavar="N", min=1, help="How many sets to play.")] = 20,
    jobs: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="How many sets to play at once.")
    ] = 1,
    as_json: JsonOption = False,
    in_process: InProcessOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Play the most informative sets, and show the table.

    Each set is drawn from all results so far: versions that are not known well come first, and
    meet those of about their strength. It ends early when all are known well enough. Ctrl-C loses
    nothing that was played. Exits with 3 when one of your versions failed.

    Examples:

      [cyan]ladle league play mine.league --sets 100 --jobs 2[/cyan]
    """
    from ladder.cli.modes import choose_mode
    from ladle.league import League
    from ladle.progress import bar

    own = League(file)
    mode = choose_mode(in_process=in_process, no_sandbox=no_sandbox)
    is_faulty = interrupted = False
    done = 0
    with bar(sets, "sets") as advance:
        try:
            for met in own.play(sets, mode, jobs):
                done += 1
                faulty = {own.versions[met.versions[note.entry]] for note in met.record.faults}
                is_faulty = is_faulty or any(not one.is_house for one in faulty)
                advance()
        except KeyboardInterrupt:
            interrupted = True
    _show(own, as_json=as_json)
    if interrupted:
        complain(f"stopped after {plural(done, 'set')} of {sets}.")
        raise typer.Exit(130)
    if is_faulty:
        raise typer.Exit(FAULT)


@league.command("table")
def standings(file: LeagueArgument, as_json: JsonOption = False) -> None:
    """Show the ratings with their 95% intervals and bands, and what to play next.

    The order within a band is not certain yet. A version without a band has no rank: it is
    known too little.

    Examples:

      [cyan]ladle league table mine.league --json[/cyan]
    """
    from ladle.league import League

    _show(League(file), as_json=as_json)


def _show(own: League, *, as_json: bool) -> None:
    from engine import games
    from ladder.ratings.intervals import interval_in_words

    fitted = own.fit()
    lines, due = own.table(fitted), own.next_table(fitted)
    names = [one.name for one in due.candidates] if due else []
    if as_json:
        data: dict[str, Any] = {"game": own.head.game, "seats": own.head.seats}
        data |= {"options": own.head.options, "sets": len(own.sets)}
        data |= {"versions": [_as_json(one) for one in lines]}
        show_json(data | {"next": {"table": names, "why": due.why} if due else None})
        return
    out = console()
    title = f"{games.get(own.head.game).title}, {plural(own.head.seats, 'seat')}"
    out.print(f"[bold]{title}[/bold], {plural(len(own.sets), 'set')}")
    numbers = ("band", "Elo", "95%", "sets")
    listing = table("band", "version", *numbers[1:], "faults", right=numbers)
    for one in lines:
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(one.faults.items()))
        listing.add_row(
            str(one.band or "–"),
            plain(one.version.name),
            f"{one.elo:.0f}",
            interval_in_words(one.elo, one.low, one.high),
            str(one.sets),
            faults or "none",
        )
    out.print(listing)
    if due:
        out.print(plain(f"Next: {', '.join(names)}. Why: {due.why}."))
    else:
        out.print("Nothing to play: all are known well enough. Add a new version.")


def _as_json(one: Line) -> dict[str, Any]:
    return {
        "version": one.version.name,
        "sha256": one.version.as_bot().program.sha256,
        "is_house": one.version.is_house,
        "elo": one.elo,
        "low": one.low,
        "high": one.high,
        "sets": one.sets,
        "band": one.band or None,
        "faults": dict(one.faults),
    }
