"""`ladle climb`: beat one bot after the other, from random to the best that you can get."""

from __future__ import annotations

import tempfile
from base64 import b64decode
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.arguments import (
    InProcessOption,
    JsonOption,
    NoSandboxOption,
    SeedOption,
    chosen_seed,
    find_game,
)
from ladder.cli.output import FAULT, console, notes, plain, plural, show_json, table
from ladder.cli.remote.connection import ServerOption, connected, is_guessed
from ladle.errors import Refusal

if TYPE_CHECKING:
    from engine.game import Game
    from ladder.contract.boards import LadderRow
    from ladder.contract.bots import Bot, Source
    from ladle.climb import Rung, Step

LISTED = 200  # bots of a ladder that are looked through for public sources


def climb(
    board: Annotated[
        str, typer.Argument(metavar="BOARD", help="GAME/SEATS, such as ramen_ramen/2, or GAME.")
    ],
    bot: Annotated[str, typer.Argument(metavar="BOT", help="Your bot: its file or folder.")],
    most: Annotated[
        int, typer.Option(metavar="N", min=1, help="Sets to play at most against one rung.")
    ] = 400,
    public: Annotated[
        int,
        typer.Option(metavar="N", min=0, help="Public bots of the server to climb afterwards."),
    ] = 5,
    go_on: Annotated[
        bool, typer.Option("--all", help="Try all rungs, also after one that was not passed.")
    ] = False,
    jobs: Annotated[
        int, typer.Option(metavar="N", min=1, max=256, help="How many sets to play at once.")
    ] = 1,
    seed: SeedOption = None,
    server: ServerOption = None,
    as_json: JsonOption = False,
    in_process: InProcessOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Beat one bot after the other: the house bots from random to the strongest, then others.

    A rung is passed when the site's sequential test knows that your bot is stronger (+40 Elo
    against 0, wrong once in twenty times), and your bot made no fault. After the house bots come
    bots of the server whose source is public, by their place on the board's ladder; they play on
    this machine, in the sandbox. Without a server they are left out.

    Exits with 1 when a rung was not passed, and with 3 when your bot failed.

    Examples:

      [cyan]ladle climb ramen_ramen/2 my_bot.py[/cyan]
      [cyan]ladle climb hot_ramen/3 my_bot.py --jobs 2 --json[/cyan]
    """
    from ladder.cli.modes import choose_mode
    from ladle.bots import find_bot
    from ladle.climb import climb as climbing
    from ladle.climb import house_rungs

    rules, seats = _board(board)
    own = find_bot(rules, bot)
    mode = choose_mode(in_process=in_process, no_sandbox=no_sandbox)
    first = chosen_seed(seed)
    done: list[Step] = []
    with tempfile.TemporaryDirectory() as folder:
        others: Iterator[Rung] = iter(())
        if public and mode.is_confined and not is_guessed(server):
            others = _public(rules, seats, public, server, Path(folder))
        with notes().status("climbing") as status:
            for step in climbing(
                rules,
                seats,
                own,
                chain(house_rungs(rules, seats), others),
                most=most,
                first_seed=first,
                jobs=jobs,
                mode=mode,
            ):
                done.append(step)
                status.update(f"{step.rung.bot.name}: {step.comparison.sentence}")
                if not step.is_passed and not go_on:
                    break
    data = _report(rules, seats, own.typed, first, done)
    if as_json:
        show_json(data)
    else:
        _show(data)
    if any(step.faults for step in done):
        raise typer.Exit(FAULT)
    if not all(step.is_passed for step in done):
        raise typer.Exit(1)


def _board(text: str) -> tuple[Game, int]:
    slug, slash, count = text.partition("/")
    rules = find_game(slug)
    several = [seats for seats in rules.seats if seats > 1]
    if not slash:
        return rules, several[0]
    if not (count.isascii() and count.isdigit()) or int(count) not in several:
        allowed = ", ".join(f"{rules.slug}/{seats}" for seats in several)
        raise Refusal(f"'{text}' is no board to climb. Allowed: {allowed}.")
    return rules, int(count)


def _public(
    rules: Game, seats: int, count: int, server: str | None, folder: Path
) -> Iterator[Rung]:
    """Bots of the server whose source is public, the weakest of the best `count` first."""
    from ladle.bots import read_bot
    from ladle.climb import Rung

    with connected(server) as client:
        shown = client.ladder(rules.slug, seats, page_size=LISTED).results
        chosen: list[tuple[LadderRow, Bot, Source]] = []
        for row in shown:
            if len(chosen) == count:
                break
            found = client.bot(row.bot.id)
            if found.is_source_public and not found.is_house:
                source = client.source(found.id, row.version)
                if source is not None:
                    chosen.append((row, found, source))
    for row, found, source in reversed(chosen):
        path = folder / f"{found.id}-{source.filename}"
        text = source.source
        is_text = source.encoding == "utf-8"
        path.write_bytes(text.encode() if is_text else b64decode(text))
        bot = read_bot(rules, path, name=found.name, typed=found.name)
        yield Rung(bot, row.elo, False)


def _report(
    rules: Game, seats: int, bot: str, first_seed: int, steps: list[Step]
) -> dict[str, Any]:
    passed = 0
    for step in steps:
        if not step.is_passed:
            break
        passed += 1
    return {
        "game": rules.slug,
        "seats": seats,
        "bot": bot,
        "first_seed": first_seed,
        "passed": passed,
        "reached": steps[passed - 1].rung.bot.name if passed else None,
        "stopped_at": steps[passed].rung.bot.name if passed < len(steps) else None,
        "rungs": [_rung(step) for step in steps],
    }


def _rung(step: Step) -> dict[str, Any]:
    one = step.comparison
    return {
        "bot": step.rung.bot.name,
        "is_house": step.rung.is_house,
        "elo": step.rung.elo,
        "passed": step.is_passed,
        "decision": str(one.decision),
        "sentence": one.sentence,
        "score": round(one.score, 4),
        "sets": one.sets,
        "faults": step.faults,
    }


def _show(data: dict[str, Any]) -> None:
    out = console()
    listing = table("", "rung", "Elo", "sets", "score", "verdict", right=("Elo", "sets", "score"))
    for rung in data["rungs"]:
        mark = "[green]passed[/green]" if rung["passed"] else "[red]stop[/red]"
        verdict = rung["sentence"]
        if rung["faults"]:
            verdict += f"; {plural(rung['faults'], 'fault')} of your bot"
        elo = "" if rung["elo"] is None else f"{rung['elo']:.0f}"
        listing.add_row(
            mark, plain(rung["bot"]), elo, str(rung["sets"]), f"{rung['score']:.0%}", plain(verdict)
        )
    out.print(listing)
    board = f"{data['game']}/{data['seats']}"
    if data["stopped_at"] is None:
        words = f"{plural(data['passed'], 'rung')} passed on {board}: the top is reached."
    else:
        words = (
            f"{plural(data['passed'], 'rung')} passed on {board}. Next to beat: "
            f"{data['stopped_at']}. Same luck again: --seed {data['first_seed']}."
        )
    out.print(plain(words), soft_wrap=True)
