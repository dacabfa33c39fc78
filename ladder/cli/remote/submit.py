"""`ladle submit`: upload a bot and follow it through the gate."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.arguments import JsonOption, find_game
from ladder.cli.output import console, indented, notes, plain, show_json, table, tail
from ladder.cli.remote.connection import ServerOption, as_json, connected
from ladle.errors import Refusal

if TYPE_CHECKING:
    from engine.game import Game
    from ladder.contract.trials import Trial
    from ladle.submitting import Submitted

NO_VERDICT = 4  # exit code: the gate, or the trial, has not decided in time
NOT_BETTER = 5  # exit code: the trial did not show that the version is better


def submit(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The bot's file, or its folder.")],
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="The game it plays.")],
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="N", help="The bot's name; else the file's name."),
    ] = None,
    bot: Annotated[
        int | None, typer.Option("--bot", metavar="ID", help="A new version of this bot of yours.")
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seats", metavar="K", help="A new bot's seat counts; may be repeated."),
    ] = None,
    note: Annotated[str, typer.Option("--note", help="What is new in it.")] = "",
    authorship: Annotated[
        str,
        typer.Option(metavar="WHO", help="Who wrote it: person, assisted or agent."),
    ] = "",
    activate: Annotated[bool, typer.Option(help="Let it play as soon as it is accepted.")] = True,
    wait: Annotated[
        int, typer.Option("--wait", metavar="S", help="Seconds to wait for the verdict.")
    ] = 300,
    trial: Annotated[
        bool,
        typer.Option(
            "--trial", help="Let it play only if a trial shows it better than what plays now."
        ),
    ] = False,
    trusted: Annotated[
        bool,
        typer.Option(
            "--trusted", help="In a CI job: submit --bot without a stored token, by its identity."
        ),
    ] = False,
    summary: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Append the verdict as Markdown, for CI."),
    ] = None,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Upload a bot, or a new version of one, and wait for the gate's verdict.

    A bot of yours with that name gets a new version; otherwise a new bot is made. Exits with 1
    when the version is rejected, and says why; with 4 when there is no verdict yet after --wait;
    with 5 when a trial did not show that it is better.

    Examples:

      [cyan]ladle submit soup.py --game ramen_ramen[/cyan]
      [cyan]ladle submit soup/ --game ramen_ramen[/cyan]
      [cyan]ladle submit soup.py --game ramen_ramen --name "Soup Star" --note "counts"[/cyan]
      [cyan]ladle submit soup.py --game ramen_ramen --summary "$GITHUB_STEP_SUMMARY"[/cyan]
      [cyan]ladle submit soup.py --game ramen_ramen --bot 12 --trusted --trial[/cyan]
    """
    from ladder.contract.authorship import Authorship
    from ladle import submitting
    from ladle.bots import read_program

    if authorship not in ("", *Authorship):
        raise Refusal(f"Unknown authorship '{authorship}'. Allowed: {', '.join(Authorship)}.")
    if name and bot is not None:
        raise Refusal("give --name or --bot, not both.")
    rules = find_game(game)
    program = read_program(rules, file)
    if trusted and bot is None:
        raise Refusal("--trusted needs --bot with the bot's id.")
    token = trusted_token(server, bot) if trusted and bot is not None else None
    with connected(server, token) as client:
        stem = name or file.resolve().stem
        target = submitting.bot_for(client, rules, id=bot, name=stem, seats=seats)
        with notes().status("uploading") as status:
            done = submitting.submit(
                client,
                target,
                program,
                note=note,
                authorship=authorship,
                activate=activate,
                trial=trial,
                wait=wait,
                say=status.update,
            )
    if summary is not None:
        with summary.open("a", encoding="utf-8") as file_out:
            file_out.write(markdown(done))
    if json_wanted:
        told = {"bot": done.bot, "version": done.version, "report": done.report}
        data = {name: as_json(value) for name, value in told.items()}
        show_json(data | {"page": done.page, "trial": done.trial and as_json(done.trial)})
    else:
        _show(done, file.resolve().name, rules)
    if done.is_rejected:
        raise typer.Exit(1)
    if done.is_undecided:
        raise typer.Exit(NO_VERDICT)
    if done.is_not_better:
        raise typer.Exit(NOT_BETTER)


def trusted_token(server: str | None, bot: int) -> str:
    from ladder.cli.remote import trusted

    return trusted.token(server, bot)


def _trial_words(trial: Trial) -> str:
    from ladder.contract.trials import WORDS

    return (
        f"Trial {trial.id}: v{trial.new} against v{trial.old} after {trial.pairs} pairs:"
        f" {WORDS[trial.status]}."
    )


def markdown(done: Submitted) -> str:
    """The verdict and the gate's steps as Markdown."""
    version, report = done.version, done.report
    words = {"accepted": "is accepted", "rejected": "is rejected"}
    verdict = words.get(version.status, "has no verdict yet")
    lines = [f"### [{_cell(done.bot.name)} v{version.number}]({done.page}) {verdict}", ""]
    if report.rows:
        lines += ["| | step | what happened |", "|---|---|---|"]
        for row in report.rows:
            mark = "✓" if row.get("ok") else "✗"
            lines.append(
                f"| {mark} | {_cell(row.get('step', ''))} | {_cell(row.get('sentence', ''))} |"
            )
        lines.append("")
    if done.trial is not None:
        lines += [_trial_words(done.trial), ""]
    return "\n".join([*lines, ""])


def _cell(text: object) -> str:
    """A text that stays in its cell and is nothing but text."""
    words = " ".join(str(text).split())
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", words)


def _show(done: Submitted, filename: str, rules: Game) -> None:
    """The verdict, by the author's name of the file: the server stores it under its own."""
    version, report = done.version, done.report
    out = console()
    if report.rows:
        listing = table("", "step", "what happened")
        for row in report.rows:
            mark = "[green]ok[/green]" if row.get("ok") else "[red]no[/red]"
            listing.add_row(mark, plain(str(row.get("step", ""))), plain(row.get("sentence", "")))
        out.print(listing)
        for row in report.rows:
            if not row.get("ok") and row.get("detail"):
                out.print(plain(indented(tail(str(row["detail"])))), soft_wrap=True)
    words = {"accepted": "is accepted", "rejected": "is rejected"}
    verdict = words.get(version.status, "is still being checked")
    colour = {"accepted": "green", "rejected": "red"}.get(version.status, "yellow")
    failed = [str(row.get("sentence", "")) for row in report.rows if not row.get("ok")]
    why = f"{filename}: {failed[-1]}" if failed else report.verdict
    if version.status == "accepted":
        why = f"{filename} may play {rules.title}."
    sentence = f"{done.bot.name} v{version.number} {verdict}. {why}".strip()
    out.print(plain(sentence), style=f"bold {colour}", soft_wrap=True)
    out.print(plain(done.page), soft_wrap=True)
    if done.trial is not None:
        out.print(plain(_trial_words(done.trial)), soft_wrap=True)
