"""`ladle arena`: many plays in duplicate sets, to learn which bot is better."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

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
    from ladder.cli.modes import choose_mode
    from ladder.cli.standings import report, show
    from ladle.duels import Arena
    from ladle.progress import bar

    rules = find_game(game)
    chosen_seed(seed)
    planned = Arena(
        rules,
        bots,
        sets=sets,
        is_until_decided=until_decided,
        most=most,
        seats=seats,
        seed=seed,
        results=results,
        options=chosen_options(rules, option),
        choose_mode=partial(choose_mode, in_process=in_process, no_sandbox=no_sandbox),
    )
    with bar(planned.most, "sets") as advance:
        done = planned.play(jobs, advance)
    show(rules, report(rules, done), as_json=as_json)
    if not done.is_complete:
        complain(f"stopped after {plural(len(done.sets), 'set')} of {planned.most}.")
        raise typer.Exit(130)
    if done.has_own_fault:
        raise typer.Exit(FAULT)
