"""`ladle submit`: upload a bot and follow it through the gate."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.arguments import JsonOption, find_game
from ladder.cli.output import console, indented, notes, plain, show_json, table, tail
from ladder.cli.remote.connection import ServerOption, as_json, connected
from ladle.errors import Refusal

if TYPE_CHECKING:
    from engine.game import Game
    from ladder.client import Client
    from ladder.contract.bots import Bot, Report, Version
    from ladder.contract.trials import Trial

POLL_S = 0.5
TRIAL_POLL_S = 3.0
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
      [cyan]ladle submit soup.py --game ramen_ramen --name "Soup Star" --note "counts cards"[/cyan]
      [cyan]ladle submit soup.py --game ramen_ramen --summary "$GITHUB_STEP_SUMMARY"[/cyan]
      [cyan]ladle submit soup.py --game ramen_ramen --bot 12 --trusted --trial --wait 3000[/cyan]
    """
    from ladder.contract.authorship import Authorship
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
    tried: Trial | None = None
    with connected(server, token) as client:
        target = _target(client, rules, bot, name or file.resolve().stem, seats)
        old = target.active_version
        waits = trial and old is not None
        version = client.upload(
            target.id,
            program.filename,
            program.content,
            note=note,
            authorship=authorship,
            activate=activate and not waits,
        )
        begun = time.monotonic()
        version = _followed(client, target, version, wait)
        report = client.report(target.id, version.number)
        page = f"{client.server}{target.page}"
        if waits and old is not None and version.status == "accepted" and version.number != old:
            tried = _tried(client, target, old, version, activate, begun + wait)
    if summary is not None:
        with summary.open("a", encoding="utf-8") as file_out:
            file_out.write(markdown(target, version, report, page, tried))
    if json_wanted:
        data = {"bot": as_json(target), "version": as_json(version), "report": as_json(report)}
        show_json(data | {"page": page, "trial": tried and as_json(tried)})
    else:
        _show(target, version, report, page, file.resolve().name, rules)
        if tried is not None:
            console().print(plain(_trial_words(tried)), soft_wrap=True)
    if version.status == "rejected":
        raise typer.Exit(1)
    if version.status == "checking" or (tried is not None and tried.status == "running"):
        raise typer.Exit(NO_VERDICT)
    if tried is not None and tried.status != "passed":
        raise typer.Exit(NOT_BETTER)


def trusted_token(server: str | None, bot: int) -> str:
    from ladder.cli.remote import trusted

    return trusted.token(server, bot)


def _tried(
    client: Client, bot: Bot, old: int, version: Version, promote: bool, until: float
) -> Trial:
    """The trial of a new version against the one that plays, once it is decided or time is up.

    A CI job's token ends before a long trial does; where a trial stands is for everyone to read.
    """
    from ladder.client import Client

    seats = 2 if 2 in bot.seat_counts else bot.seat_counts[0]
    tried = client.start_trial(
        bot=bot.id, old=old, new=version.number, seats=seats, promote=promote
    )
    with Client(client.server) as reader, notes().status("trial") as status:
        while tried.status == "running" and time.monotonic() < until:
            status.update(f"v{version.number} plays v{old}: {tried.pairs} pairs so far")
            time.sleep(TRIAL_POLL_S)
            tried = reader.trial(tried.id)
    return tried


def _trial_words(trial: Trial) -> str:
    from ladder.contract.trials import WORDS

    return (
        f"Trial {trial.id}: v{trial.new} against v{trial.old} after {trial.pairs} pairs:"
        f" {WORDS[trial.status]}."
    )


def markdown(
    bot: Bot, version: Version, report: Report, page: str, trial: Trial | None = None
) -> str:
    """The verdict and the gate's steps as Markdown."""
    words = {"accepted": "is accepted", "rejected": "is rejected"}
    verdict = words.get(version.status, "has no verdict yet")
    lines = [f"### [{_cell(bot.name)} v{version.number}]({page}) {verdict}", ""]
    if report.rows:
        lines += ["| | step | what happened |", "|---|---|---|"]
        for row in report.rows:
            mark = "✓" if row.get("ok") else "✗"
            lines.append(
                f"| {mark} | {_cell(row.get('step', ''))} | {_cell(row.get('sentence', ''))} |"
            )
        lines.append("")
    if trial is not None:
        lines += [_trial_words(trial), ""]
    return "\n".join([*lines, ""])


def _cell(text: object) -> str:
    """A text that stays in its cell and is nothing but text."""
    words = " ".join(str(text).split())
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", words)


def _target(
    client: Client, rules: Game, bot: int | None, name: str, seats: list[int] | None
) -> Bot:
    if bot is not None:
        found = client.bot(bot)
        if found.game != rules.slug:
            raise Refusal(f"{found.name} plays {found.game}, not {rules.slug}.")
        return found
    for own in client.bots(mine=True, game=rules.slug, search=name[:60]):
        if own.name.lower() == name.lower():
            return own
    fields = {"seat_counts": seats} if seats else {}
    return client.create_bot(game=rules.slug, name=name, **fields)


def _followed(client: Client, bot: Bot, version: Version, wait: int) -> Version:
    """The version once the gate has judged it, or as it is when the patience is over."""
    begun = time.monotonic()
    with notes().status("uploaded") as status:
        while version.status == "checking" and time.monotonic() - begun < wait:
            waited = time.monotonic() - begun
            status.update(f"the gate checks {bot.name} v{version.number} ({waited:.0f} s)")
            time.sleep(POLL_S)
            version = client.version(bot.id, version.number)
    return version


def _show(
    bot: Bot, version: Version, report: Report, page: str, filename: str, rules: Game
) -> None:
    """The verdict, by the author's name of the file: the server stores it under its own."""
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
    sentence = f"{bot.name} v{version.number} {verdict}. {why}".strip()
    out.print(plain(sentence), style=f"bold {colour}", soft_wrap=True)
    out.print(plain(page), soft_wrap=True)
