"""Duplicate sets played one after another or in several processes at once."""

from __future__ import annotations

import atexit
import signal
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import islice
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from engine import games
from engine.arena import Entry, SetPlay, copies, play_set, side_count
from engine.game import Game
from engine.results import PlayResult
from ladle.bots import Bot
from ladle.errors import Refusal
from ladle.players import Mode, launching, seated

if TYPE_CHECKING:
    from sandbox.pool import Launcher


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything about the sets to play but their seeds; small enough to send to a process."""

    game: str
    seats: int
    bots: tuple[Bot, ...]
    options: Mapping[str, Any]
    mode: Mode


@dataclass(frozen=True, slots=True)
class FaultNote:
    """A fault of an entry: in which play of the set it was, at which seat, and the evidence."""

    entry: int
    play: int
    seat: int
    kind: str
    sentence: str
    detail: str


@dataclass(frozen=True, slots=True)
class SetRecord:
    """What is saved of a set: its results, without the replays."""

    seed: int
    plays: tuple[PlayResult, ...]
    faults: tuple[FaultNote, ...] = ()

    @classmethod
    def of(cls, seed: int, plays: Sequence[SetPlay]) -> SetRecord:
        return cls(
            seed,
            tuple(PlayResult.of(one.seating, one.played) for one in plays),
            tuple(
                FaultNote(one.seating[seat], index, seat, fault.kind, fault.sentence, fault.detail)
                for index, one in enumerate(plays)
                for seat, fault in sorted(one.played.faults.items())
            ),
        )


def table_for(game: Game, sides: int, seats: int | None) -> int:
    """The seat count meant: the one asked for, else the smallest with this number of sides."""
    if seats is None:
        fitting = [count for count in game.seats if side_count(game, count) == sides]
        if not fitting:
            what = "1 side" if sides == 1 else f"{sides} sides"
            raise Refusal(
                f"no table of {game.title} has {what}; give other bots or the number of seats."
            )
        return fitting[0]
    if seats not in game.seats:
        raise Refusal(
            f"{game.title} is for {game.seats[0]} to {game.seats[-1]} seats, not {seats}."
        )
    return seats


def one_set(setting: Setting, seed: int, launcher: Launcher | None) -> SetRecord:
    """Play one set; each seat of each side has a player of its own for all its plays."""
    game = games.get(setting.game)
    per_side = copies(game, setting.seats)
    everyone = [bot for bot in setting.bots for _ in range(per_side)]
    with seated(everyone, launcher) as players:
        entries = [
            Entry(players[at * per_side : (at + 1) * per_side], bot.name, sha256=bot.program.sha256)
            for at, bot in enumerate(setting.bots)
        ]
        plays = play_set(game, setting.seats, entries, seed=seed, options=setting.options)
        return SetRecord.of(seed, list(plays))


def played_sets(
    setting: Setting, seeds: Sequence[int], jobs: int
) -> Generator[SetRecord, None, None]:
    """Sets of one setting as they end, in any order; close it to stop early."""
    due = ((setting, seed) for seed in seeds)
    with closing(played(due, setting.mode, jobs)) as records:
        for _, record in records:
            yield record


def played(
    due: Iterable[tuple[Setting, int]], mode: Mode, jobs: int
) -> Generator[tuple[Setting, SetRecord], None, None]:
    """Sets as they end, in any order; the next one due is asked for when there is room for it."""
    if jobs == 1:
        with launching(mode) as launcher:
            for setting, seed in due:
                yield setting, one_set(setting, seed, launcher)
        return
    # Spawned rather than forked: this process has threads, and a fork would freeze their locks.
    workers = ProcessPoolExecutor(jobs, get_context("spawn"))
    try:
        yield from _spread(workers, due, jobs)
    except BrokenProcessPool:
        raise Refusal("a process that played sets died; try --jobs 1 to see why.") from None
    finally:
        workers.shutdown(cancel_futures=True)


def _spread(
    workers: ProcessPoolExecutor, due: Iterable[tuple[Setting, int]], jobs: int
) -> Iterator[tuple[Setting, SetRecord]]:
    waiting = iter(due)
    running: dict[Future[SetRecord], Setting] = {}
    while True:
        # One set more than there are processes, so that none idles and little is left to finish
        # when the user stops.
        for setting, seed in islice(waiting, jobs + 1 - len(running)):
            with _interrupts_held():
                running[workers.submit(_set_of_worker, setting, seed)] = setting
        if not running:
            return
        ended, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in ended:
            yield running.pop(future), future.result()


def _set_of_worker(setting: Setting, seed: int) -> SetRecord:
    return one_set(setting, seed, _launcher_of_worker(setting.mode))


_of_worker = ExitStack()


@cache
def _launcher_of_worker(mode: Mode) -> Launcher | None:
    """Open for all sets of this process, and closed when it ends."""
    atexit.register(_of_worker.close)
    return _of_worker.enter_context(launching(mode))


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes started in this block never see Ctrl-C, which is for us to answer."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
