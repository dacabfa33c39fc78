"""`ladle arena`: many plays in duplicate sets, to learn which bot is better."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
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

if TYPE_CHECKING:
    from ladle.sets import FaultNote


def arena(
    game: GameArgument,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help="Scripts or house bots, one per side."),
    ],
    sets: Annotated[int, typer.Option(metavar="N", min=1, help="How many sets to play.")] = 20,
    until_decided: Annotated[
        bool,
        typer.Option(
            "--until-decided", help="Play until it is clear whether the first bot is stronger."
        ),
    ] = False,
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Sets to play at most, with --until-decided.")
    ] = 1200,
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
            metavar="FILE.jsonl", help="Save every set here, and resume from those it has."
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

    --until-decided asks whether the first bot is stronger than the second, by the site's own test
    of +40 Elo against 0, which is wrong once in twenty times. Copies of a bot count as one, and
    the last bot fills the sides that are left.

    Where seats play in teams, give one BOT per team. Ctrl-C shows what was played so far;
    with --results the same command resumes there, or adds to it with more --sets.

    Exits with 3 when a bot that you gave as a file failed.

    Examples:

      [cyan]ladle arena ramen_ramen my_bot.py greedy --sets 100 --jobs 2[/cyan]
      [cyan]ladle arena ramen_ramen my_bot.py greedy --seats 4 --sets 50[/cyan]
      [cyan]ladle arena ramen_ramen my_bot.py greedy --sets 500 --results mine.jsonl[/cyan]
      [cyan]ladle arena potage_sauvage my_bot.py greedy --seats 4 --until-decided[/cyan]
      [cyan]ladle arena hot_ramen my_bot.py greedy random --seed 1 --json[/cyan]
    """
    from engine.arena import Tally, plan, tally
    from ladder.cli.modes import choose_mode
    from ladder.cli.standings import note_faults, report, show
    from ladle.bots import find_bots
    from ladle.decided import Comparison, Contest, SequentialTest, fill
    from ladle.progress import bar
    from ladle.results import Results
    from ladle.sets import SetRecord, Setting, played_sets, table_for

    rules = find_game(game)
    table = table_for(rules, len(bots), seats)
    sides = fill(rules, table, bots) if until_decided else bots
    plan(rules, table, len(sides), chosen_seed(seed))
    options = chosen_options(rules, option)
    found = find_bots(rules, sides)
    contest = test = None
    if until_decided:
        contest = Contest.of([bot.program.sha256 for bot in found])
        test, sets = SequentialTest(contest, most), most
    mode = choose_mode(in_process=in_process, no_sandbox=no_sandbox)
    setting = Setting(rules.slug, table, tuple(found), options, mode)
    kept = Results(results, setting, seed) if results is not None else None
    first = kept.first_seed if kept else chosen_seed(seed)
    last = chosen_seed(first + sets - 1)
    known = [*kept.sets] if kept else []
    seeds = {record.seed for record in known}
    waiting = [one for one in range(first, last + 1) if one not in seeds]

    def all_sets() -> Generator[SetRecord, None, None]:
        yield from known
        jobs_needed = max(1, min(jobs, len(waiting)))
        with closing(played_sets(setting, waiting, jobs_needed)) as records:
            for record in records:
                if kept:
                    kept.add(record)
                yield record

    done: list[SetRecord] = []
    interrupted = False
    with bar(sets, "sets") as advance, closing(all_sets()) as records:
        try:
            for record in test.until_decided(records, first) if test else records:
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
    data = report(
        rules,
        setting,
        tallies,
        faults,
        first_seed=first,
        complete=is_complete,
        groups=contest.groups if contest else None,
        comparison=Comparison.of(test.trial) if test else None,
    )
    show(rules, data, as_json=as_json)
    if interrupted:
        complain(f"stopped after {plural(len(done), 'set')} of {sets}.")
        raise typer.Exit(130)
    if any(found[entry].is_own for entry in faults):
        raise typer.Exit(FAULT)
