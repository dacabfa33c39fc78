"""`ladle cases`: what a bot does in positions where something better is known."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.arguments import InProcessOption, JsonOption, NoSandboxOption
from ladder.cli.output import console, plain, show_json, table
from ladle.errors import Refusal

if TYPE_CHECKING:
    from engine.studies.cases import Tried


def cases(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Test cases, from a bot's page or `analyse`.")
    ],
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A script, a folder, or the name of a house bot.")
    ],
    as_json: JsonOption = False,
    in_process: InProcessOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Test a bot on the positions of a file of test cases.

    Each case has the position, the action that was played there, and a better one by an analysis.
    Exits with 1 unless the bot chooses the better action in all of them.

    Examples:

      [cyan]ladle analyse r.json.gz --cases cases.json[/cyan]
      [cyan]ladle cases cases.json my_bot.py[/cyan]
    """
    from engine.errors import EngineError
    from engine.games import GAMES
    from engine.studies.cases import MAX_BYTES, Outcome, attempt, cases_in
    from ladder.cli.modes import choose_mode
    from ladle.bots import find_bot
    from ladle.files import read_bytes
    from ladle.players import launching, seated

    tried: list[Tried] = []
    try:
        found = cases_in(read_bytes(file, MAX_BYTES))
        if not found:
            raise Refusal(f"{file} has no test cases.")
        games = {case.position.game for case in found}
        if len(games) > 1 or not games <= set(GAMES):
            raise Refusal(f"{file} must have cases of one known game.")
        program = find_bot(GAMES[found[0].position.game], bot)
        mode = choose_mode(in_process=in_process, no_sandbox=no_sandbox)
        with launching(mode) as launcher:
            for case in found:
                with seated([program], launcher) as players:  # each case starts a new process
                    tried.append(attempt(case, players[0]))
    except EngineError as error:
        raise Refusal(f"{file}: {error}.") from None
    solved = sum(one.outcome is Outcome.BETTER for one in tried)
    if as_json:
        show_json(
            {
                "bot": program.name,
                "cases": len(tried),
                "better": solved,
                "results": [
                    {
                        "name": one.case.name,
                        "outcome": one.outcome.value,
                        "action": one.action,
                        "better": one.case.better,
                        "played": one.case.played,
                        "regret": one.case.regret,
                        "problem": one.problem,
                    }
                    for one in tried
                ],
            }
        )
    else:
        _show(tried, program.name)
    if solved < len(tried):
        raise typer.Exit(1)


def _show(tried: list[Tried], name: str) -> None:
    out = console()
    listing = table("case", "regret", "better", "answer", "", right=("regret",))
    for one in tried:
        answer = one.problem or one.action
        listing.add_row(
            plain(one.case.name),
            f"{one.case.regret:.0f} ± {2 * one.case.error:.0f}",
            plain(one.case.better),
            plain(answer),
            one.outcome.value,
        )
    out.print(listing)
    counts = Counter(one.outcome.value for one in tried)
    words = ", ".join(f"{count} {outcome}" for outcome, count in counts.items())
    noun = "case" if len(tried) == 1 else "cases"
    out.print(plain(f"{name}, {len(tried)} {noun}: {words}."), soft_wrap=True)
