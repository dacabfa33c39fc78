"""`ladle arena`: many plays in duplicate sets, to learn which bot is better."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.arguments import (
    GameArgument,
    InProcessOption,
    JsonOption,
    NoSandboxOption,
    RuleOption,
    SeedOption,
    chosen_options,
    chosen_seed,
    find_game,
)
from ladder.cli.output import FAULT, complain, plural
from ladle.errors import Refusal

if TYPE_CHECKING:
    from engine.game import Game
    from ladle.sets import FaultNote


def arena(
    game: GameArgument,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help="Scripts or house bots, one per side."),
    ],
    sets: Annotated[int, typer.Option(metavar="N", min=1, help="How many sets to play.")] = 20,
    seats: Annotated[
        int | None,
        typer.Option(metavar="K", help="Seats at the table; needed for teams and for solo races."),
    ] = None,
    jobs: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="How many sets to play at once.")
    ] = 1,
    seed: SeedOption = None,
    results: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.jsonl", help="Keep every set here, and go on from those it has."
        ),
    ] = None,
    option: RuleOption = None,
    as_json: JsonOption = False,
    in_process: InProcessOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Play bots against each other many times and compare them.

    A set plays one seed once per rotation of the bots round the table, so every bot meets the
    same luck at every place. The 95% interval of a win rate counts sets, not plays; a shared
    first place is shared. Solo, bots race on the same seeds and the most points win.

    Where seats play in teams, give one BOT per team. Ctrl-C shows what was played so far; with
    --results the same command goes on from there, or adds to it with more --sets.

    Exits with 3 when a bot that you gave as a file was at fault.

    Examples:

      [cyan]ladle arena ramen_ramen my_bot.py greedy --sets 100 --jobs 2[/cyan]
      [cyan]ladle arena ramen_ramen my_bot.py greedy --seats 4 --sets 50[/cyan]
      [cyan]ladle arena ramen_ramen my_bot.py greedy --sets 500 --results mine.jsonl[/cyan]
      [cyan]ladle arena hot_ramen my_bot.py greedy random --seed 1 --json[/cyan]
    """
    from engine.arena import Tally, plan, tally
    from ladder.cli.modes import choose_mode
    from ladder.cli.standings import note_faults, report, show
    from ladle.bots import find_bots
    from ladle.progress import bar
    from ladle.results import Results
    from ladle.sets import SetRecord, Setting, played_sets

    rules = find_game(game)
    table = _table(rules, seats, len(bots))
    plan(rules, table, len(bots), chosen_seed(seed))
    options = chosen_options(rules, option)
    found = find_bots(rules, bots)
    mode = choose_mode(in_process=in_process, no_sandbox=no_sandbox)
    setting = Setting(rules.slug, table, tuple(found), options, mode)
    kept = Results(results, setting, seed) if results is not None else None
    first = kept.first_seed if kept else chosen_seed(seed)
    last = chosen_seed(first + sets - 1)
    done: list[SetRecord] = [*kept.sets] if kept else []
    known = {record.seed for record in done}
    waiting = [one for one in range(first, last + 1) if one not in known]
    interrupted = False
    with bar(sets, "sets", len(done)) as advance:
        try:
            for record in played_sets(setting, waiting, max(1, min(jobs, len(waiting)))):
                if kept:
                    kept.add(record)
                done.append(record)
                advance()
        except KeyboardInterrupt:
            interrupted = True
    if interrupted and not done:
        raise KeyboardInterrupt
    tallies = [Tally() for _ in found]  # counted only now: Ctrl-C cannot come in between
    faults: dict[int, tuple[int, FaultNote]] = {}
    for record in done:
        tally(tallies, record.plays)
        note_faults(faults, record)
    is_complete = not interrupted
    data = report(rules, setting, tallies, faults, first_seed=first, complete=is_complete)
    show(rules, data, as_json=as_json)
    if interrupted:
        complain(f"stopped after {plural(len(done), 'set')} of {sets}.")
        raise typer.Exit(130)
    if any(found[entry].is_own for entry in faults):
        raise typer.Exit(FAULT)


def _table(game: Game, seats: int | None, bots: int) -> int:
    """The seat count meant: the one asked for, else the smallest with a side per bot."""
    from engine.arena import side_count

    if seats is None:
        fitting = [count for count in game.seats if side_count(game, count) == bots]
        if not fitting:
            raise Refusal(
                f"no table of {game.title} has {plural(bots, 'side')}; give other bots or --seats."
            )
        return fitting[0]
    if seats not in game.seats:
        raise Refusal(
            f"{game.title} is for {game.seats[0]} to {game.seats[-1]} seats, not {seats}."
        )
    return seats
