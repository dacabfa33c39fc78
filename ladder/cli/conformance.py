"""`ladle conformance`: random plays as JSON, to test another implementation of the rules."""

from __future__ import annotations

import json
from random import Random
from typing import Annotated

import typer

from ladder.cli.arguments import (
    GameArgument,
    JsonOption,
    RuleOption,
    SeedOption,
    chosen_options,
    chosen_seed,
    find_game,
    must_seat,
)


def conformance(
    game: GameArgument,
    seats: Annotated[
        int | None, typer.Option("--seats", metavar="K", help="Only plays with K seats.")
    ] = None,
    plays: Annotated[
        int, typer.Option("--plays", metavar="N", min=1, help="Plays for each seat count.")
    ] = 1,
    seed: SeedOption = None,
    option: RuleOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print random plays, to test another implementation of the rules against.

    Each play is a `start`, then every `chance` and every `decide` in order, and an `end`. A
    decision has the view of the seat to act, the actions that are legal, and the one that is
    taken. It is JSON with and without --json. Feed a port of the rules the chances and actions,
    and compare the rest.

    Examples:

      [cyan]ladle conformance ramen_ramen --seats 2 --plays 100 --seed 1 > plays.jsonl[/cyan]
    """
    from engine.chance import SeededChance
    from engine.match import question

    rules = find_game(game)
    if seats is not None:
        must_seat(rules, seats)
    options = chosen_options(rules, option)
    first = chosen_seed(seed)
    for count in rules.seats if seats is None else [seats]:
        for number in range(first, first + plays):
            chances: list[dict[str, object]] = []
            state = rules.start(count, SeededChance(number, chances), options)
            rng, told = Random(number), 0
            _print(
                type="start",
                game=rules.slug,
                rules_version=rules.rules_version,
                seats=count,
                options=dict(state.options),
                seed=number,
            )
            while True:
                for entry in chances[told:]:
                    _print(type="chance", **entry)
                told = len(chances)
                if state.to_act is None:
                    break
                asked = question(state, state.to_act, [])
                action = state.sample(rng)
                menu = {"legal": asked.legal} if asked.ranges is None else {"ranges": asked.ranges}
                _print(
                    type="decide",
                    seat=asked.seat,
                    kind=asked.kind,
                    view=asked.view,
                    **menu,
                    action=state.notation(action),
                )
                state.apply(action)
            result = state.result()
            assert result is not None, "a play that is over has a result"
            _print(type="end", places=list(result.places), points=list(result.points))


def _print(**line: object) -> None:
    typer.echo(json.dumps(line, ensure_ascii=False))
