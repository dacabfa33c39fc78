"""One play: who sits where, from which position, and what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine import match
from engine.game import Game
from engine.match import Played, Player
from engine.replay import Replay, Seating
from ladle.bots import Bot, find_bots
from ladle.errors import Refusal
from ladle.files import read_replay
from ladle.players import DebuggedPlayer, LoggedPlayer, Mode, launching, seated

GUEST_NAME = "stdio"

# Stands between the players and the play, as a progress line does.
Watch = Callable[[Sequence[Player]], AbstractContextManager[Sequence[Player]]]


@dataclass(frozen=True, slots=True)
class Guest:
    """A player that is no bot of ours, on a seat."""

    seat: int
    player: LoggedPlayer


@dataclass(frozen=True, slots=True)
class Once:
    """A play with the names of its bots and what they printed, by seat."""

    played: Played
    names: list[str]
    logs: list[str]
    is_own_fault: bool  # of a bot that was given as a file, or of the guest


def check_seats(game: Game, seats: int, guest: int | None = None) -> None:
    """Refusal where the game has no such table, or the table no such seat."""
    if seats not in game.seats:
        counts = f"{game.seats[0]} to {game.seats[-1]}"
        raise Refusal(f"{game.title} is for {counts} bots, not {seats}.")
    if guest is not None and not 0 <= guest < seats:
        raise Refusal(f"unknown seat {guest}; --stdio-seat counts from 0: 0 to {seats - 1}.")


def play_once(
    game: Game,
    bots: Sequence[str],
    *,
    mode: Mode,
    seed: int,
    options: Mapping[str, Any] | None = None,
    position: Replay | None = None,
    guest: Guest | None = None,
    is_debugged: bool = False,
    watch: Watch | None = None,
) -> Once:
    """Play once, a bot per seat in seat order; the guest takes its seat among them."""
    found: list[Bot | None] = [*find_bots(game, bots)]
    with ExitStack() as stack:
        launcher = stack.enter_context(launching(mode))
        own = DebuggedPlayer if is_debugged else None
        players = stack.enter_context(seated([b for b in found if b], launcher, of_script=own))
        if guest is not None:
            players.insert(guest.seat, guest.player)
            found.insert(guest.seat, None)
        watched = watch(players) if watch else nullcontext(players)
        seating = [
            bot.seating(seat) if bot else Seating(seat, GUEST_NAME)
            for seat, bot in enumerate(found)
        ]
        played = match.play(
            game,
            stack.enter_context(watched),
            seed=seed,
            options=options,
            seating=seating,
            position=position,
        )
    return Once(
        played,
        names=[bot.name if bot else GUEST_NAME for bot in found],
        logs=[player.log for player in players],  # whole only now that the bots have ended
        is_own_fault=any(
            bot is None or bot.is_own for seat, bot in enumerate(found) if seat in played.faults
        ),
    )


def position_of(game: Game, text: str) -> Replay:
    """The play to resume that FILE or FILE@STEP names. Its luck after that is its own seed's."""
    name, at, step = text.rpartition("@")
    path = Path(name if at else text)
    replay = read_replay(path)
    if replay.game != game.slug:
        raise Refusal(f"{path} is a replay of {replay.game}, not of {game.slug}.")
    if replay.seed is None:
        raise Refusal(f"{path} has no seed, so its play cannot be resumed.")
    if at:
        if not step.isdecimal() or int(step) > len(replay.log):
            raise Refusal(f"'{step}' is not a step of {path}, which has {len(replay.log)}.")
        steps = int(step)
        # The luck an action brings belongs to it.
        while steps < len(replay.log) and "chance" in replay.log[steps]:
            steps += 1
        return replay.cut(steps)
    if replay.result is not None:
        raise Refusal(f"the play in {path} is over; say where to resume, as in {path}@20.")
    return replay
