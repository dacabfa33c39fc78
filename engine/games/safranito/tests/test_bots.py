"""The bots that ship with the game."""

import pytest

from engine.games import GAMES
from engine.local import ScriptPlayer
from engine.match import play

GAME = GAMES["safranito"]


def sit(*names):
    bots = GAME.house_bots()
    return [ScriptPlayer.from_file(bots[name]) for name in names]


@pytest.mark.parametrize(
    "names", [("greedy", "saffron"), ("random", "greedy", "greedy"), ("greedy",) * 4]
)
def test_house_bots_play_to_the_end_without_a_fault(names):
    played = play(GAME, sit(*names), seed=21)

    assert played.faults == {}
    assert played.replay.result.points != (0,) * len(names)
