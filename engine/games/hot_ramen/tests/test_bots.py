"""The house bots play legal, whole games, and the strong one can be asked again."""

import pytest

from engine.games.hot_ramen import GAME
from engine.games.hot_ramen.tests.tables import laid_table
from engine.local import ScriptPlayer
from engine.match import play, question

BOTS = GAME.house_bots()


def players(*names):
    return [ScriptPlayer.from_file(BOTS[name]) for name in names]


@pytest.mark.parametrize("names", [("wok", "greedy"), ("greedy", "random", "greedy", "random")])
def test_house_bots_finish_a_play_without_a_fault(names):
    played = play(GAME, players(*names), seed=1)

    assert played.faults == {}


def test_the_same_seed_gives_greedy_the_same_play():
    first, second = (play(GAME, players("greedy", "greedy"), seed=3).replay for _ in range(2))

    assert first.digest() == second.digest()


def ask(name, state):
    [player] = players(name)
    player.start(game=GAME, seat=0, seats=state.seats, options=state.options)
    return player.decide(question(state, 0, [])).action


@pytest.mark.parametrize("name", ["greedy", "wok"])
def test_bots_multiply_their_peppers(name):
    state = laid_table("pick", "R:P3", "R:P3", "J:X3", "O:P3", "W:-", pouch="WWGG", trash="WWWG")

    assert ask(name, state) == "pick P X3"


def test_wok_thinks_alike_about_the_same_position():
    state = laid_table("pick", "R:P2", "W:R1", "Y:M1", "W:-", pouch="WWGG", trash="WWWG")

    assert len({ask("wok", state) for _ in range(3)}) == 1


def test_wok_kills_when_it_can():
    state = laid_table("pick", "R:P2", "Y:M2", "W:R1", pouch="WWGG", trash="WWWG")
    state.hp = [20, 2]

    assert ask("wok", state) == "pick P"
