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

POLL_S = 0.5
NO_VERDICT = 4  # exit code: the gate has not decided in time


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
    activate: Annotated[bool, typer.Option(help="Let it play as soon as it is accepted.")] = True,
    wait: Annotated[
        int, typer.Option("--wait", metavar="S", help="Seconds to wait for the verdict.")
    ] = 300,
    summary: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Append the verdict as Markdown, for CI."),
    ] = None,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Upload a bot, or a new version of one, and wait for the gate's verdict.

    A bot of yours with that name gets a new version; otherwise a new bot is made. Exits with 1
    when the version is rejected, and says why; with 4 when there is no verdict yet after --wait.

    Examples:

      [cyan]ladle submit soup.py --game ramen_ramen[/cyan]
      [cyan]ladle submit soup/ --game ramen_ramen[/cyan]
      [cyan]ladle submit soup.py --game ramen_ramen --name "Soup Star" --note "counts cards"[/cyan]
      [cyan]ladle submit soup.py --game ramen_ramen --summary "$GITHUB_STEP_SUMMARY"[/cyan]
    """
    from ladle.bots import read_program

    if name and bot is not None:
        raise Refusal("give --name or --bot, not both.")
    rules = find_game(game)
    program = read_program(rules, file)
    with connected(server) as client:
        target = _target(client, rules, bot, name or file.resolve().stem, seats)
        version = client.upload(
            target.id, program.filename, program.content, note=note, activate=activate
        )
        version = _followed(client, target, version, wait)
        report = client.report(target.id, version.number)
        page = f"{client.server}{target.page}"
    if summary is not None:
        with summary.open("a", encoding="utf-8") as file_out:
            file_out.write(markdown(target, version, report, page))
    if json_wanted:
        data = {"bot": as_json(target), "version": as_json(version), "report": as_json(report)}
        show_json(data | {"page": page})
    else:
        _show(target, version, report, page, file.resolve().name, rules)
    if version.status == "rejected":
        raise typer.Exit(1)
    if version.status == "checking":
        raise typer.Exit(NO_VERDICT)


def markdown(bot: Bot, version: Version, report: Report, page: str) -> str:
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
