"""Duplicate sets played one after another or in several processes at once."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from typing import Any

from engine import games
from engine.arena import Entry, SetPlay, copies, play_set
from ladder.cli.bots import Bot
from ladder.cli.output import Refusal
from ladder.cli.players import Mode, seated


@dataclass(frozen=True, slots=True)
class Setting:
    """Everything about the sets to play but their seeds; small enough to send to a process."""

    game: str
    seats: int
    bots: tuple[Bot, ...]
    options: Mapping[str, Any]
    mode: Mode


def one_set(setting: Setting, seed: int) -> list[SetPlay]:
    """Play one set; each seat of each side has a player of its own for all its plays."""
    game = games.get(setting.game)
    per_side = copies(game, setting.seats)
    everyone = [bot for bot in setting.bots for _ in range(per_side)]
    with seated(game, everyone, setting.mode) as players:
        entries = [
            Entry(players[at * per_side : (at + 1) * per_side], bot.name, sha256=bot.sha256)
            for at, bot in enumerate(setting.bots)
        ]
        return list(play_set(game, setting.seats, entries, seed=seed, options=setting.options))


def played_sets(setting: Setting, seeds: Sequence[int], jobs: int) -> Iterator[list[SetPlay]]:
    """Sets as they end, in any order."""
    if jobs == 1:
        for seed in seeds:
            yield one_set(setting, seed)
        return
    # Spawned rather than forked: this process has threads, and a fork would freeze their locks.
    workers = ProcessPoolExecutor(jobs, get_context("spawn"), _leave_interrupts_to_the_parent)
    try:
        yield from _spread(workers, setting, seeds, jobs)
    except BrokenProcessPool:
        raise Refusal("a process that played sets died; try --jobs 1 to see why.") from None
    finally:
        workers.shutdown(cancel_futures=True)


def _spread(
    workers: ProcessPoolExecutor, setting: Setting, seeds: Sequence[int], jobs: int
) -> Iterator[list[SetPlay]]:
    waiting = iter(seeds)
    running: set[Future[list[SetPlay]]] = set()
    while True:
        # One set more than there are processes, so that none idles and little is left to finish
        # when the user stops.
        for seed in islice(waiting, jobs + 1 - len(running)):
            running.add(workers.submit(one_set, setting, seed))
        if not running:
            return
        ended, running = wait(running, return_when=FIRST_COMPLETED)
        for future in ended:
            yield future.result()


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
