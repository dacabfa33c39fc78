"""The house's chef with a memory against the plain one: at fair share in every play of a set."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from engine import games
from engine.arena import Entry, mean_interval, play_set
from engine.games.ramen_ramen.rules import RamenState
from engine.local import ScriptPlayer
from engine.results import PlayResult
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import script
from sandbox.table import Tablemates

GAME = games.get("ramen_ramen")
RANDOM = GAME.house_bots()["random"].read_text()
CHEF = GAME.house_bots()["chef"].read_text()
REMEMBERING = CHEF + (Path(__file__).parent / "memory/chef/remember.py").read_text()
SETS = int(os.environ.get("LADLE_MEMORY_SETS", "500"))


def one_set(seed: int, pool: Pool) -> tuple[list[float], bool]:
    """The remembering chef's share of each play, and whether it remembered any."""
    table = Tablemates()
    with (
        JailedPlayer(script(REMEMBERING, "remember.py"), pool=pool, table=table) as cheat,
        JailedPlayer(script(CHEF, "chef.py"), pool=pool, table=table) as chef,
    ):
        plays = list(play_set(GAME, 2, [Entry([cheat]), Entry([chef])], seed=seed))
    assert not any(one.played.faults for one in plays)
    won = [PlayResult.of(one.seating, one.played).win_shares[0] for one in plays]
    return won, "REMEMBERED" in cheat.log


def several_sets(first: int) -> list[tuple[list[float], bool]]:
    with Pool() as pool:
        return [one_set(seed, pool) for seed in range(first, min(first + 5, SETS))]


class OneProcess(ScriptPlayer):
    """As bots were run once: loaded for the first play, kept for all others."""

    def start(self, *, seat: int, seats: int, **_: object) -> None:
        self._script.start({"seat": seat, "seats": seats})


def test_kept_in_one_process_the_chef_knows_the_deal_of_every_second_play(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(RamenState, "hidden_twin", RamenState.hidden_twin)  # put back afterwards
    cheat = OneProcess(REMEMBERING, "remember.py")

    list(play_set(GAME, 2, [Entry([cheat]), Entry([ScriptPlayer(RANDOM)])], seed=1))

    assert capsys.readouterr().out.split() == ["NOTED", "REMEMBERED"]


@pytest.mark.jail
def test_in_the_sandbox_it_knows_none() -> None:
    with Pool() as pool:
        assert [one_set(seed, pool)[1] for seed in range(3)] == [False] * 3


@pytest.mark.jail
@pytest.mark.slow
def test_a_chef_with_a_memory_wins_its_fair_share_of_every_play() -> None:
    with ProcessPoolExecutor(2, get_context("spawn")) as workers:
        found = [one for some in workers.map(several_sets, range(0, SETS, 5)) for one in some]

    for place in range(2):
        mean, low, high = mean_interval([play[place] for play, _ in found])
        told = f"play {place + 1} of {len(found)} sets: {mean:.3f} ({low:.3f} to {high:.3f})\n"
        sys.stdout.write(told)
        assert low <= 0.5 <= high, f"play {place + 1}: {mean:.3f} of {SETS} sets"
    assert not any(remembered for _, remembered in found)
