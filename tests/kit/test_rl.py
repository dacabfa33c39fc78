"""`ladle.rl`: every board by the tests of PettingZoo and Gymnasium, encodings there and back."""

import os
from importlib import import_module
from random import Random

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from engine.chance import SeededChance
from engine.games import GAMES
from ladle import Refusal
from ladle.rl import Board, SeatEnv, TableEnv

BOARDS = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]
STATES = int(os.environ.get("LADLE_ENCODED_STATES", "150"))  # of each board


@pytest.mark.filterwarnings("ignore:Observation")  # a dict with a mask is no plain array
@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_a_board_is_a_sound_environment(slug, seats, capsys):
    api_test(TableEnv(slug, seats), num_cycles=40)
    seed_test(lambda: TableEnv(slug, seats), num_cycles=20)
    check_env(SeatEnv(slug, ["random"] * (seats - 1)), skip_render_check=True)


@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_features_are_read_back_from_numbers_exactly(slug, seats):
    encoding = import_module(f"engine.games.{slug}.encoding")
    layout = encoding.layout(seats)
    seen = 0
    rng = Random(seats)
    while seen < STATES:
        state = GAMES[slug].start(seats, SeededChance(rng.getrandbits(50)))
        while state.to_act is not None and seen < STATES:
            seat = rng.randrange(seats)
            features = encoding.features(state.observe(seat))

            row = np.array(layout.row(features), np.float32)

            assert layout.get(row, 0) == features
            assert 0 <= row.min() <= row.max() <= 1
            seen += 1
            state.apply(state.sample(rng))
    assert len(list(layout.names(""))) == layout.size


@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_the_mask_has_every_legal_action_and_no_other(slug, seats):
    board = Board(slug, seats)
    rng = Random(1)
    state = board.start(rng)
    for _ in range(60):
        if state.to_act is None:
            break
        allowed = board.allowed(state)
        mask = board.observe(state, state.to_act)["action_mask"]

        assert list(np.flatnonzero(mask)) == sorted(allowed)
        assert len(allowed) == len(state.suggestions())
        if state.ranges() is None:
            for number, action in allowed.items():
                assert board.actions[number] == state.notation(action)
        state.apply(rng.choice(list(allowed.values())))


def play_out(env, rng):
    env.reset(seed=5)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, ended, _, _ = env.last()
        total[agent] += reward
        env.step(None if ended else rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
    return total


@pytest.mark.parametrize(("slug", "seats"), [("ramen_ramen", 4), ("potage_sauvage", 3)])
def test_rewards_come_once_add_up_to_nothing_and_follow_the_places(slug, seats):
    env = TableEnv(slug, seats)

    total = play_out(env, Random(2))

    places = env.state_of_play.result().places
    assert sum(total.values()) == pytest.approx(0)
    best = [total[agent] for agent, place in zip(total, places, strict=True) if place == 1]
    assert min(best) == max(total.values()) > 0


def test_solo_the_reward_is_the_points():
    env = TableEnv("ramen_ramen", 1)

    assert play_out(env, Random(2)) == {"seat_0": env.state_of_play.result().points[0]}


def test_an_action_that_is_not_allowed_is_refused_or_loses():
    table, seat = TableEnv("potage_sauvage", 2), SeatEnv("potage_sauvage", seat=0)
    table.reset(seed=1)
    observation, _ = seat.reset(seed=1)
    (wrong, *_) = np.flatnonzero(observation["action_mask"] == 0)

    with pytest.raises(ValueError, match="not one of the"):
        table.step(wrong)
    _, reward, ended, _, info = seat.step(wrong)
    assert (reward, ended, info) == (-1.0, True, {"illegal": True})


def test_the_learner_meets_the_rivals_it_was_given():
    asked = []

    def rival(view):
        asked.append(view["seat"])
        return view["legal"][0]

    env = SeatEnv("ramen_ramen", [rival, "greedy"], seat=1)
    observation, _ = env.reset(seed=3)
    ended = False
    while not ended:
        observation, reward, ended, _, _ = env.step(np.flatnonzero(observation["action_mask"])[0])

    assert set(asked) == {0}
    assert reward in (-1.0, -0.5, 0.0, 0.5, 1.0)


def test_a_rival_at_fault_is_told_rather_than_learned_from():
    def broken(view):
        raise RuntimeError("no soup")

    env = SeatEnv("hot_ramen", [broken], seat=1)

    with pytest.raises(Refusal, match="no soup"):
        observation, _ = env.reset(seed=1)
        for _ in range(1000):
            observation, *_ = env.step(np.flatnonzero(observation["action_mask"])[0])
    with pytest.raises(Refusal, match="no seat 2"):
        SeatEnv("ramen_ramen", ["random"], seat=2)
