"""Arguments and options that several verbs share, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from secrets import randbelow
from typing import Annotated, Any

import typer

from engine.game import Game
from ladle.errors import Refusal

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="The game's name, as `ladle games` lists it.")
]
BotsArgument = Annotated[
    list[str],
    typer.Argument(metavar="BOT", help="Scripts or house bots, one per seat, in seat order."),
]
SeedOption = Annotated[
    int | None,
    typer.Option("--seed", metavar="N", help="Decides all luck; random if not given."),
]
RuleOption = Annotated[
    list[str] | None,
    typer.Option("--option", metavar="NAME=VALUE", help="A rule variant; may be repeated."),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Write over a file that exists.")]
InProcessOption = Annotated[
    bool,
    typer.Option(
        "--in-process",
        help="Run Python bots inside this process: fastest, no limits, for code you trust.",
    ),
]
NoSandboxOption = Annotated[
    bool,
    typer.Option("--no-sandbox", help="Run bots as plain child processes, for code you trust."),
]


def find_game(slug: str) -> Game:
    """The game of that name, or of its title's spelling; the sentence suggests a close one."""
    from difflib import get_close_matches

    from engine.games import GAMES

    wanted = slug.lower().replace("-", "_")
    if wanted in GAMES:
        return GAMES[wanted]
    close = get_close_matches(wanted, GAMES, n=1)
    hint = f"did you mean {close[0]}?" if close else f"the games are {', '.join(GAMES)}."
    raise Refusal(f"there is no game '{slug}'; {hint}")


def must_seat(game: Game, seats: int) -> None:
    """Refuse a table that the game does not have."""
    if seats not in game.seats:
        first, last = game.seats[0], game.seats[-1]
        raise Refusal(f"{game.title} is for {first} to {last} seats, not {seats}.")


def must_be_new(path: Path, force: bool) -> None:
    """Refuse to write over a file, unless that is what is wanted."""
    if path.exists() and not force:
        raise Refusal(f"{path} exists; choose another name, or --force to write over it.")


def chosen_seed(seed: int | None) -> int:
    from engine.chance import MAX_SEED

    if seed is None:
        return randbelow(2**32)
    if not 0 <= seed <= MAX_SEED:
        raise Refusal(f"seed {seed} is not between 0 and {MAX_SEED}.")
    return seed


def chosen_options(game: Game, texts: Sequence[str] | None) -> dict[str, Any]:
    """All options of the game with those given as `name=value` set."""
    chosen: dict[str, Any] = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise Refusal(f"option '{text}' is not of the form NAME=VALUE.")
        choices = game.options[name].choices if name in game.options else ()
        meant = [choice for choice in choices if str(choice).lower() == value.lower()]
        chosen[name] = meant[0] if meant else value
    return game.full_options(chosen)
