"""The house's chef with a memory against the plain one: at fair share in every play of a set."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import pytest

from engine import games
from engine.arena import Entry, mean_interval, play_set
from engine.results import PlayResult
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import script
from sandbox.table import Table

GAME = games.get("ramen_ramen")
CHEF = GAME.house_bots()["chef"].read_text()
REMEMBERING = CHEF + (Path(__file__).parent / "memory/chef/remember.py").read_text()
SETS = int(os.environ.get("LADLE_MEMORY_SETS", "500"))


@cache
def pool() -> Pool:
    return Pool()


def one_set(seed: int) -> tuple[list[float], bool]:
    """The remembering chef's share of each play, and whether it remembered any."""
    table = Table()
    with (
        JailedPlayer(script(REMEMBERING, "remember.py"), pool=pool(), table=table) as cheat,
        JailedPlayer(script(CHEF, "chef.py"), pool=pool(), table=table) as chef,
    ):
        plays = list(play_set(GAME, 2, [Entry([cheat]), Entry([chef])], seed=seed))
    assert not any(one.played.faults for one in plays)
    won = [PlayResult.of(one.seating, one.played).win_shares[0] for one in plays]
    return won, "REMEMBERED" in cheat.log


@pytest.mark.jail
@pytest.mark.slow
def test_a_chef_with_a_memory_wins_its_fair_share_of_every_play() -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as workers:
        found = list(workers.map(one_set, range(SETS), chunksize=5))

    for place in range(2):
        mean, low, high = mean_interval([play[place] for play, _ in found])
        assert low <= 0.5 <= high, f"play {place + 1}: {mean:.3f} of {SETS} sets"
    assert not any(remembered for _, remembered in found)
