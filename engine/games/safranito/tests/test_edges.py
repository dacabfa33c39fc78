"""No seat is better than another: everyone moves on to the next edge with the mill."""

from pathlib import Path

import pytest

from engine.chance import SeededChance
from engine.games import GAMES
from engine.games.safranito.tests.conftest import do, end_throws, lay
from engine.local import ScriptPlayer
from engine.match import Question, question
from engine.replay import read, verify

GAME = GAMES["safranito"]
GREEDY = ScriptPlayer.from_file(GAME.house_bots()["greedy"])  # looks at nothing but the view
OLD = sorted((Path(__file__).parent / "version_1").glob("*.json.gz"))


class PassedOn(SeededChance):
    """The luck of a seed, every seat's given to the one so many places to its left."""

    def __init__(self, seed: int, places: int, seats: int) -> None:
        super().__init__(seed)
        self.places, self.seats = places, seats

    def roll(self, stream: str, sides: int, times: int = 1) -> list[int]:
        drawn = super().roll(stream, sides, times)
        return [(seat + self.places) % sides for seat in drawn] if stream == "chef" else drawn

    def bells(self, stream: str, times: int) -> list[float]:
        seat = (int(stream.removeprefix("throw/seat")) - self.places) % self.seats
        return super().bells(f"throw/seat{seat}", times)


def greedy_play(game, seats, seed, places):
    """The actions of a play among greedy bots, and its points by seat."""
    state, actions = game.start(seats, PassedOn(seed, places, seats)), []
    while state.to_act is not None:
        asked: Question = question(state, state.to_act, [])
        actions.append(GREEDY.decide(asked).action)
        state.apply(state.parse(actions[-1]))
    return actions, state.result().points


@pytest.mark.parametrize("seats", GAME.seats)
def test_a_play_goes_the_same_way_whoever_sits_at_which_seat(seats):
    actions, points = greedy_play(GAME, seats, seed=1, places=0)

    for places in range(1, seats):
        moved, others = greedy_play(GAME, seats, seed=1, places=places)
        assert moved == actions
        assert [others[(seat + places) % seats] for seat in range(seats)] == list(points)


def test_under_the_first_rules_it_mattered_where_one_sat():
    old = GAME.at_version(1)

    assert greedy_play(old, 2, seed=1, places=0)[0] != greedy_play(old, 2, seed=1, places=1)[0]


def test_the_chef_of_a_round_sits_in_the_south_and_the_others_follow_clockwise():
    table = lay(3)
    south = table.edges.index("S")
    state = end_throws(table)
    while state.round == 1:
        state.apply(state.autopilot())

    assert [state.edges[(state.chef + place) % 3] for place in range(3)] == ["S", "W", "N"]
    assert state.observe(0)["edges"] == state.edges
    assert state.edges.index("S") == (south + 1) % 3


def test_whoever_takes_the_mill_keeps_the_edge_until_the_round_ends():
    state = lay(2, chef=0, discs=[(1, 60, "chef")])
    state.edges = "SN"
    end_throws(state)

    do(state, "use")

    assert state.chef == 0 and state.round == 2  # taken by seat 1, then passed to its left
    assert state.edges == "SN"


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.name)
def test_a_replay_of_the_first_rules_is_still_refereed_by_them(path):
    replay = read(path.read_bytes())

    assert replay.rules_version == 1
    verify(GAME, replay)
