"""`ladle check`: would the ladder take this bot?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.arguments import JsonOption, NoSandboxOption, find_game, must_seat
from ladder.cli.output import (
    console,
    indented,
    notes,
    plain,
    show_json,
    table,
    tail,
)

if TYPE_CHECKING:
    from ladle.players import Mode
    from sandbox.gate import GateReport


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The bot's file, or its folder.")],
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="The game it plays, as in `ladle games`.")
    ],
    seats: Annotated[
        list[int] | None,
        typer.Option("--seats", metavar="K", help="Check this seat count only; may be repeated."),
    ] = None,
    as_json: JsonOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Put a bot through the gate that every upload must pass.

    It must load, and play one game at every seat count in the sandbox without a fault: the
    same check that the server makes. Exits with 1 when the bot would be rejected, and says
    why.

    Where there is no sandbox, the bot runs unconfined and the verdict says so: forbidden system
    calls are not detected, and on macOS and Windows wall-clock time counts.

    Examples:

      [cyan]ladle check my_bot.py --game ramen_ramen[/cyan]
      [cyan]ladle check my_bot.py --game ramen_ramen --seats 2 --seats 3[/cyan]
    """
    from ladder.cli.modes import choose_mode
    from ladle.bots import program_at
    from ladle.players import Mode, unconfined

    rules = find_game(game)
    program = program_at(rules, file)
    for count in seats or ():
        must_seat(rules, count)
    is_confined = choose_mode(in_process=False, no_sandbox=no_sandbox).is_confined
    mode = Mode.SANDBOX if is_confined else Mode.CHILD
    from sandbox.gate import check as gate

    with notes().status("checking") as status:
        report = gate(
            program,
            rules,
            seats or None,
            seat=None if is_confined else unconfined(),
            progress=lambda done, total, step: status.update(f"checking: {step}"),
        )
    if as_json:
        show_json(report.as_json() | {"mode": mode.value})
    else:
        _show(report, mode)
    if not report.ok:
        raise typer.Exit(1)


def _show(report: GateReport, mode: Mode) -> None:
    out = console()
    numbers = ("CPU", "slowest", "memory")
    listing = table("", "step", *numbers, "what happened", right=numbers)
    for row in report.rows:
        used = (f"{row.cpu_ms} ms", f"{row.slowest_ms:.1f} ms") if row.decisions else ("", "")
        memory = f"{row.memory_mb:.0f} MB" if row.memory_mb else ""
        mark = "[green]ok[/green]" if row.ok else "[red]no[/red]"
        listing.add_row(mark, row.step, *used, memory, plain(row.sentence))
    out.print(listing)
    for row in report.rows:
        if not row.ok and row.detail:
            out.print(plain(indented(tail(row.detail))), soft_wrap=True)
    colour = "green" if report.ok else "red"
    where = "" if mode.is_confined else f" ({mode.value})"
    out.print(plain(report.verdict + where), style=f"bold {colour}", soft_wrap=True)
