"""`ladle tune`: let a bot's own numbers be found by playing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.arguments import (
    ForceOption,
    JsonOption,
    SeedOption,
    chosen_seed,
    find_game,
    must_be_new,
    must_seat,
)
from ladder.cli.output import console, plain, show_json, table
from ladle.errors import Refusal

if TYPE_CHECKING:
    from ladle.bots import Bot


def tune(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The bot: a .py file.")],
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="The game it plays.")],
    seats: Annotated[int, typer.Option(metavar="K", help="Seats at the table.")] = 2,
    steps: Annotated[int, typer.Option(metavar="N", min=1, help="How many steps to take.")] = 200,
    sets: Annotated[int, typer.Option(metavar="N", min=1, help="Sets to play in a step.")] = 2,
    trial: Annotated[
        int, typer.Option(metavar="N", min=1, help="Sets of the new bot against the old one.")
    ] = 50,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="BOT", help="A rival: a file or a house bot; may be repeated."),
    ] = None,
    jobs: Annotated[
        int, typer.Option("--jobs", metavar="N", min=1, help="Processes that play the sets.")
    ] = 1,
    seed: SeedOption = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.py", help="Where the new bot is written."),
    ] = None,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Tune the numbers in a bot by self-play.

    A number is declared by a comment: `WEIGHT = 1.5  # tune 0 to 4`. Step by step two bots with
    slightly different numbers meet in duplicate sets, and the numbers follow the better one
    (SPSA). With --against, and at tables of three or more sides, each of the two meets the rivals
    instead, or copies of your bot. On a terminal a chart shows how they move. The new bot is
    written to my_bot_tuned.py, or where you want it, and tried against the old one. Bots run
    unconfined: for your own.

    Examples:

      [cyan]ladle tune my_bot.py --game ramen_ramen[/cyan]
      [cyan]ladle tune my_bot.py --game potage_sauvage --seats 4 --against greedy[/cyan]
      [cyan]ladle tune my_bot.py --game hot_ramen --steps 500 --sets 4 -o tuned.py[/cyan]
    """
    from engine.arena import side_count
    from ladle import api
    from ladle.bots import find_bots, read_bot
    from ladle.files import write_bytes
    from ladle.progress import chart
    from ladle.tune import declared, with_values, working, written
    from ladle.tune import tune as steps_of

    rules = find_game(game)
    must_seat(rules, seats)
    bot = read_bot(rules, file, name=file.stem, typed=str(file))
    source = _script(bot, "be tuned")
    path = output or file.with_name(f"{file.stem}_tuned.py")
    if path.resolve() == file.resolve():
        raise Refusal(f"{path} is the old bot itself; choose another name.")
    must_be_new(path, force)
    parameters = declared(source)
    values = {one.name: one.value for one in parameters}
    first = chosen_seed(seed)
    ranges = {one.name: (one.low, one.high) for one in parameters}
    rivals = [_script(one, "be a rival") for one in find_bots(rules, against or ())]
    settled: Any = {"steps": steps, "sets": sets, "seed": first, "rivals": rivals}
    with chart(ranges, steps) as show, working(jobs) as scores:
        for step in steps_of(rules, seats, source, **settled, scores=scores):
            values = step.values
            show(values)
    values = written(parameters, values)
    write_bytes(path, with_values(source, values).encode())
    entrants = [path, *[file] * max(1, side_count(rules, seats) - 1)]
    new, *_ = api.arena(rules.slug, entrants, seats=seats, sets=trial, first_seed=first, jobs=jobs)
    if as_json:
        data = {"game": rules.slug, "seats": seats, "seed": first, "file": str(path)}
        rate = {"win_rate": new.win_rate, "win_rate_low": new.low, "win_rate_high": new.high}
        old = {one.name: one.value for one in parameters}
        show_json(data | {"old": old, "new": values, "trial_sets": trial} | rate)
        return
    listing = table("number", "old", "new", "bounds", right=("old", "new"))
    for one in parameters:
        bounds = f"{one.low:g} to {one.high:g}"
        listing.add_row(plain(one.name), f"{one.value:g}", str(values[one.name]), bounds)
    console().print(listing)
    typer.echo(f"Wrote {path}. Against {file} it wins {new.win_rate:.1%} of {trial} sets")
    typer.echo(f"({new.low:.1%} to {new.high:.1%}).")


def _script(bot: Bot, purpose: str) -> str:
    if not bot.is_script:
        raise Refusal(f"{bot.name} is not a single Python file: it cannot {purpose}.")
    return bot.source
