"""`ladle reproduce`: run a bot again on a replay, and see whether it chose what is recorded."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from ladder.cli.arguments import JsonOption, NoSandboxOption
from ladder.cli.output import show_json
from ladle.errors import Refusal


def reproduce(
    replay: Annotated[Path, typer.Argument(metavar="REPLAY", help="A replay file.")],
    bot: Annotated[Path, typer.Option("--bot", metavar="FILE", help="The bot's file.")],
    as_json: JsonOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Check that a bot makes the moves that a replay records.

    The bot plays its seats again in the sandbox, on the same luck, while the others do what is
    recorded. Its file must have the hash that the replay names, and every choice must be the
    same. Of a WebAssembly bot the time of each decision must be the same too, since it is
    counted in instructions. Exits with 1 where something differs, and names the first step.
    Where there is no sandbox, --no-sandbox runs the bot unconfined, if you trust its author.

    Examples:

      [cyan]ladle reproduce r.json.gz --bot soup.wasm[/cyan]
    """
    from engine import games
    from engine.errors import BadReplay, EngineError
    from engine.replay import verify
    from ladder.cli.modes import sandbox_problem
    from ladle.bots import read_program
    from ladle.files import read_replay
    from ladle.players import Mode, unconfined

    played = read_replay(replay)
    try:
        rules = games.get(played.game)
        verify(rules, played)
    except EngineError as error:
        raise Refusal(f"{replay}: {error}.") from None
    program = read_program(rules, bot)
    seats = [one.seat for one in played.players if one.sha256 == program.sha256]
    if not seats:
        raise Refusal(
            f"{bot} did not play in {replay}: no seat has its hash, {program.sha256[:16]}..."
        )
    from sandbox.gate import jailed
    from sandbox.pool import Pool
    from sandbox.reproduce import prove

    if not no_sandbox and (problem := sandbox_problem()) is not None:  # it may be a stranger's bot
        raise Refusal(
            f"This machine cannot confine the bot: {problem}. If you trust its author, run it"
            " unconfined with --no-sandbox."
        )
    mode = Mode.CHILD if no_sandbox else Mode.SANDBOX
    try:
        with ExitStack() as stack:
            confined = jailed(stack.enter_context(Pool())) if mode.is_confined else None
            programs = dict.fromkeys(seats, program)
            decisions = prove(rules, played, programs, sit=confined or unconfined())
    except BadReplay as error:
        raise Refusal(f"{replay}: not reproduced: {error}.") from None
    has_fuel = program.language.has_fuel
    if as_json:
        data = {"reproduced": True, "seats": seats, "decisions": decisions, "fuel": has_fuel}
        show_json(data | {"digest": played.digest(), "mode": mode.value})
        return
    where = " and ".join(str(seat + 1) for seat in seats)
    time = "and the fuel of each" if has_fuel else "but not their time, which nothing can repeat"
    typer.echo(
        f"{replay}: reproduced, {decisions} decisions of {bot.name} at seat {where}, {time};"
        f" digest {played.digest()}{'' if mode.is_confined else f' ({mode.value})'}"
    )
