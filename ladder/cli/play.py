"""`ladle play`: one play of a game, shown in full."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ladder.cli.arguments import (
    BotsArgument,
    GameArgument,
    InProcessOption,
    JsonOption,
    NoSandboxOption,
    RuleOption,
    SeedOption,
    chosen_options,
    chosen_seed,
    find_game,
)
from ladder.cli.output import FAULT, notes
from ladle.errors import Refusal

if TYPE_CHECKING:
    from engine.game import Game, Result
    from engine.match import Answer, Fault, Player, Question
    from engine.replay import Replay


def play(
    game: GameArgument,
    bots: BotsArgument,
    seed: SeedOption = None,
    replay: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the replay here: .json, or .json.gz for a small one."
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE[@STEP]", help="Resume from a replay, optionally at STEP."
        ),
    ] = None,
    option: RuleOption = None,
    log: Annotated[bool, typer.Option("--log", help="Show what the bots printed.")] = False,
    debug: Annotated[
        bool,
        typer.Option(
            "--debug", help="Run the bots here with this terminal: breakpoint() opens a debugger."
        ),
    ] = False,
    stdio_seat: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="Leave this seat to the program at stdin and stdout; from 0, as on the wire.",
        ),
    ] = None,
    as_json: JsonOption = False,
    in_process: InProcessOption = False,
    no_sandbox: NoSandboxOption = False,
) -> None:
    """Play a game once and show the result.

    Give one BOT per seat, in seat order: the path of a script, or the name of a house bot.
    The same seed and bots give the same play again, so it can be repeated while you debug.

    With --debug the bots run in this process and use the terminal; an exception opens the
    debugger too. With --stdio-seat 0 the BOTs take the other seats, questions go to stdout,
    answers are read from stdin, and the report goes to stderr.

    Exits with 3 when a bot that you gave as a file failed.

    Examples:

      [cyan]ladle play ramen_ramen my_bot.py greedy[/cyan]
      [cyan]ladle play ramen_ramen greedy random --seed 7 --replay r.json.gz[/cyan]
      [cyan]ladle play ramen_ramen my_bot.py greedy --from r.json.gz@40 --log[/cyan]
      [cyan]ladle play ramen_ramen my_bot.py greedy --debug[/cyan]
      [cyan]ladle play ramen_ramen greedy --stdio-seat 0[/cyan]
    """
    from ladder.cli.modes import choose_mode
    from ladder.cli.stdio import StdioPlayer
    from ladle import api
    from ladle.once import Guest, check_seats, play_once

    rules = find_game(game)
    start = _position(rules, position, seed, option)
    check_seats(rules, len(bots) + (stdio_seat is not None), stdio_seat)
    if debug and (stdio_seat is not None or as_json):
        raise Refusal("--debug needs the terminal for itself: leave out --json and --stdio-seat.")
    options = chosen_options(rules, option)
    number = chosen_seed(seed if start is None else start.seed)
    if replay is not None:
        _must_be_writable(replay)
    mode = choose_mode(in_process=in_process or debug, no_sandbox=no_sandbox)
    guest = None
    if stdio_seat is not None:
        guest = Guest(stdio_seat, StdioPlayer(sys.stdout.buffer, sys.stdin.buffer))
    done = play_once(
        rules,
        bots,
        mode=mode,
        seed=number,
        options=options,
        position=start,
        guest=guest,
        is_debugged=debug,
        watch=None if debug or guest else _watched,
    )
    if replay is not None:
        api.write(replay, done.played.replay)
    from ladder.cli import played

    report = played.report(rules, done.played, names=done.names, logs=done.logs, mode=mode)
    with redirect_stdout(sys.stderr if guest else sys.stdout):
        played.show(rules, report, as_json=as_json, with_logs=log)
        if replay is not None and not as_json:
            typer.echo(f"replay written to {replay}")
    if done.is_own_fault:
        raise typer.Exit(FAULT)


def _must_be_writable(replay: Path) -> None:
    if not replay.name.endswith((".json", ".json.gz")):
        raise Refusal(f"{replay} must end in .json or .json.gz.")
    if not replay.parent.is_dir():
        raise Refusal(f"{replay} cannot be written: there is no folder {replay.parent}.")


def _position(
    game: Game, text: str | None, seed: int | None, option: Sequence[str] | None
) -> Replay | None:
    """The play to go on from, with its own seed and options."""
    if text is None:
        return None
    from ladle.once import position_of

    replay = position_of(game, text)
    if option or seed not in (None, replay.seed):
        path = text.rpartition("@")[0] or text
        raise Refusal(f"{path} has its own seed ({replay.seed}) and options; leave yours out.")
    return replay


class _Watched:
    """A player whose decisions are counted on the progress line."""

    def __init__(self, player: Player, tick: Any) -> None:
        self._player = player
        self._tick = tick

    def start(
        self, *, game: Game, seat: int, seats: int, options: Mapping[str, Any], luck: int
    ) -> None:
        self._player.start(game=game, seat=seat, seats=seats, options=options, luck=luck)

    def decide(self, question: Question) -> Answer | Fault:
        self._tick(question.seat)
        return self._player.decide(question)

    def end(self, result: Result) -> None:
        self._player.end(result)


@contextmanager
def _watched(players: Sequence[Player]) -> Iterator[Sequence[Player]]:
    """The players with a progress line on stderr, where someone is there to read it."""
    terminal = notes()
    if not terminal.is_terminal:
        yield players
        return
    decisions = 0
    with terminal.status("starting") as status:

        def tick(seat: int) -> None:
            nonlocal decisions
            decisions += 1
            status.update(f"decision {decisions}, seat {seat + 1} is to act")

        yield [_Watched(player, tick) for player in players]
