"""`ladle analyse`: what each decision of a play was worth, and how much was luck."""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.arguments import JsonOption
from ladder.cli.output import console, plain, table
from ladle.errors import Refusal

if TYPE_CHECKING:
    from rich.table import Table

    from engine.analysis.values import Analysis
    from engine.replay import Replay

NOTES = {
    "unvalidated": "This game's analyst has not been validated, so no decision is marked.",
    "rough": "Rough: this game has no analyst of its own, so its greedy bot played on.",
}


def analyse(
    replay: Annotated[Path, typer.Argument(metavar="REPLAY", help="A replay file.")],
    budget: Annotated[
        str, typer.Option("--budget", metavar="NAME", help="quick, standard or thorough.")
    ] = "standard",
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--settings",
            metavar="NAME=N",
            help="Change a part of the budget, in rollouts: first, pairs, worlds, checks.",
        ),
    ] = None,
    cases: Annotated[
        Path | None,
        typer.Option(
            "--cases", metavar="FILE", help="Write marked decisions as cases for `ladle cases`."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Judge every decision of a replay, and separate luck from skill.

    Each decision is compared with the best action found, by what its seat could see: guessed
    worlds that are the same for all actions, played on by a quick policy. What it cost is given
    in points, where 100 points are all opponents beaten: a slip costs 5 or more, a mistake 10,
    a blunder 20, and only what is beyond two standard errors is marked.

    The same replay and settings give the same numbers on every machine, and in the browser.

    Examples:

      [cyan]ladle analyse r.json.gz[/cyan]
      [cyan]ladle analyse r.json.gz --budget thorough --json > analysis.json[/cyan]
      [cyan]ladle analyse r.json.gz --settings pairs=2048[/cyan]
    """
    from engine import games
    from engine.errors import EngineError
    from engine.replay import verify
    from ladle.analysis import analyse as judged
    from ladle.files import read_replay

    try:
        played = read_replay(replay)
        verify(games.get(played.game), played)
        analysis = judged(played, budget, settings=_numbers(settings or []), progress=True)
    except EngineError as error:
        raise Refusal(f"{replay}: {error}.") from None
    if cases is not None:
        _write_cases(cases, analysis, played)
    if as_json:
        # The one text of an analysis, so that two of them can be compared by their bytes.
        sys.stdout.write(analysis.to_bytes().decode() + "\n")
    else:
        _show(analysis, played)


def _write_cases(path: Path, analysis: Analysis, played: Replay) -> None:
    from engine.studies.cases import Case, written
    from ladle.files import write_bytes

    steps = [moment.step for moment in analysis.curve]
    write_bytes(
        path,
        written(
            played.game,
            [
                Case(
                    name=f"{analysis.replay[:12]}@{before}",
                    position=played.position(before),
                    seat=one.seat,
                    better=one.best,
                    played=one.played,
                    regret=one.regret / 100,
                    error=one.error / 100,
                    sentence=one.sentence,
                )
                for one in analysis.decisions
                if one.mark
                for before in [max(step for step in steps if step < one.step)]
            ],
        ),
    )


def _numbers(texts: list[str]) -> dict[str, int]:
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        if not value.isdecimal():
            raise Refusal(f"Setting '{text}' is not of the form NAME=N, such as pairs=512.")
        found[name] = int(value)
    return found


def _show(analysis: Analysis, played: Replay) -> None:
    from engine import games
    from engine.frames import names

    game, called, out = games.get(played.game), names(played), console()
    budget = analysis.settings
    out.print(plain(f"{game.title}, judged by {analysis.analyst}"), style="bold")
    parts = [f"{name} {value}" for name, value in asdict(budget).items()]
    out.print(", ".join(parts))
    if analysis.trust in NOTES:
        out.print(NOTES[analysis.trust])
    for report in analysis.reports:
        out.print(plain(f"{called[report.seat]}: {report.sentence}"), soft_wrap=True)
    if any(report.lost_per_100 is not None for report in analysis.reports):
        out.print(_losses(analysis, called))
    moves = {one.step: at + 1 for at, one in enumerate(analysis.decisions)}
    for one in analysis.decisions:
        if one.mark:
            who = f"Move {moves[one.step]}, {called[one.seat]}: {one.mark}"
            out.print(plain(f"{who}, {one.played}. {one.sentence}"), soft_wrap=True)


def _losses(analysis: Analysis, called: list[str]) -> Table:
    from engine.analysis.values import Label, Mark

    unmarked = (Label.FORCED, Label.INDIFFERENT, Label.DISPUTED)
    counted = ("lost per 100 decisions", "± (95%)", "decisions", "slips", "mistakes", "blunders")
    numbers = (*counted, *map(str, unmarked))
    shown = table("seat", *numbers, right=numbers)
    for report in analysis.reports:
        marks = Counter(one.mark for one in analysis.decisions if one.seat == report.seat)
        lost, error = report.lost_per_100 or 0, report.lost_error or 0
        labels = Counter(one.label for one in analysis.decisions if one.seat == report.seat)
        counts = [str(marks[mark]) for mark in Mark if mark]
        counts += [str(labels[label]) for label in unmarked]
        figures = [f"{lost / 100:.0f}", f"{1.96 * error / 100:.0f}", str(report.unforced)]
        shown.add_row(plain(called[report.seat]), *figures, *counts)
    return shown
