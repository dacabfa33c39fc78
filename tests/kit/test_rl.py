"""`ladle.rl`: every board by the tests of PettingZoo and Gymnasium, encodings there and back."""

import os
from importlib import import_module
from itertools import product
from random import Random

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from engine.chance import SeededChance
from engine.games import GAMES
from ladle import Refusal
from ladle.rl import Board, SeatEnv, TableEnv, TablesEnv

BOARDS = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]
STATES = int(os.environ.get("LADLE_ENCODED_STATES", "150"))  # of each board


@pytest.mark.filterwarnings("ignore:Observation")  # a dict with a mask is no plain array
@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_a_board_is_a_sound_environment(slug, seats, capsys):
    api_test(TableEnv(slug, seats), num_cycles=40)
    seed_test(lambda: TableEnv(slug, seats), num_cycles=20)
    check_env(SeatEnv(slug, ["random"] * (seats - 1)), skip_render_check=True)


@pytest.mark.parametrize("slug", GAMES)
def test_action_masks_are_the_mask_of_the_observation(slug):
    env = SeatEnv(slug, ["random"])
    observation, _ = env.reset(seed=1)
    ended = False
    while not ended:
        mask = env.action_masks()
        assert (mask.dtype, mask.shape) == (np.bool_, (env.action_space.n,))
        assert np.array_equal(mask, observation["action_mask"] == 1)
        assert mask.any()
        observation, _, ended, *_ = env.step(np.flatnonzero(mask)[-1])


def test_free_throws_have_no_mask_to_ask_for():
    env = SeatEnv("safranito", throws=True)
    env.reset(seed=1)

    with pytest.raises(Refusal, match="no mask"):
        env.action_masks()


def test_a_rival_may_be_a_bundle_whose_process_ends_with_the_environment(tmp_path):
    pids = tmp_path / "pids"
    net = tmp_path / "net"
    net.mkdir()
    (net / "weights.bin").write_bytes(bytes(range(256)))
    (net / "bot.py").write_text(
        "import os\nfrom pathlib import Path\n"
        "weights = Path(__file__).with_name('weights.bin').read_bytes()\n"
        f"with open({str(pids)!r}, 'a') as file: print(os.getpid(), file=file)\n"
        "def decide(view): return view['legal'][weights[1] - 1]\n"
    )

    def points(rival):
        env = SeatEnv("ramen_ramen", [rival], seat=0)
        for seed in range(2):
            env.reset(seed=seed)
            ended = False
            while not ended:
                _, _, ended, *_ = env.step(np.flatnonzero(env.action_masks())[0])
        found = env.state_of_play.result().points
        env.close()
        return found

    assert points(net) == points(lambda view: view["legal"][0])
    started = pids.read_text().split()
    assert len(set(started)) == 2  # each play has a process of its own
    assert not any(os.path.exists(f"/proc/{pid}") for pid in started)


@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_features_are_read_back_from_numbers_exactly(slug, seats):
    encoding = import_module(f"engine.games.{slug}.encoding")
    board, layout = Board(slug, seats), encoding.layout(seats)
    seen = 0
    rng = Random(seats)
    while seen < STATES:
        state = GAMES[slug].start(seats, SeededChance(rng.getrandbits(50)))
        while state.to_act is not None and seen < STATES:
            seat = rng.randrange(seats)
            features = encoding.features(state.observe(seat))

            row = board.rows([(state, seat), (state, seat)])[1]

            assert row.tolist() == np.array(layout.row(features), np.float32).tolist()
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
    with pytest.raises(Refusal, match=r"unknown seat 2.*0 to 1"):
        SeatEnv("ramen_ramen", ["random"], seat=2)


@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.parametrize("seats", GAMES["safranito"].seats)
def test_a_throw_may_be_five_numbers(seats):
    api_test(TableEnv("safranito", seats, throws=True), num_cycles=40)
    check_env(SeatEnv("safranito", ["random"] * (seats - 1), throws=True), skip_render_check=True)


def test_every_five_numbers_are_a_legal_throw_and_reach_the_ends_of_their_ranges():
    board = Board("safranito", 2, throws=True)
    rng = Random(1)
    ends = list(product((0.0, 1.0), repeat=5))
    thrown = 0
    while thrown < 200:
        state = board.start(rng)
        while state.to_act is not None:
            numbers = rng.choice(ends) if thrown % 2 else [rng.random() for _ in range(5)]
            action = board.meant(state, np.array(numbers))
            if not state.legal():
                if numbers == (1.0,) * 5:
                    assert (action[0], action[4]) == (max(state.tokens()), 900_000)
                thrown += 1
            state.apply(action)  # refuses what is not legal
    with pytest.raises(Refusal, match="has no throws"):
        Board("ramen_ramen", 2, throws=True)


@pytest.mark.parametrize("encoded", [True, False])
@pytest.mark.parametrize("seats", [3, 4])
def test_many_tables_play_what_one_would(seats, encoded):
    slug = "ramen_ramen"  # its luck is in the deck, so that a copy has the same
    env = TablesEnv(slug, seats, 3, encoded=encoded)
    rng = np.random.default_rng(1)

    def numbers(seen):
        assert env.observation_space.contains(seen)
        if not encoded:
            return (rng.random(3) * seen).astype(np.int64)
        mine = env.board.observe(env.states[1], env.states[1].to_act)
        assert np.array_equal(seen["observation"][1], mine["observation"])
        assert np.array_equal(seen["action_mask"][1], mine["action_mask"])
        return (rng.random(seen["action_mask"].shape) * seen["action_mask"]).argmax(1)

    seen, _ = env.reset(seed=4)
    again = TablesEnv(slug, seats, 3, encoded=encoded)
    again.reset(seed=4)
    endings = 0
    while endings < 4:
        chosen = numbers(seen)
        acted, before = env.seats, [state.copy() for state in env.states]
        listed = [list(choices) for choices in env.choices]
        allowed = [env.board.allowed(state) for state in before]
        seen, rewards, ended, cut, info = env.step(chosen)
        same = again.step(chosen)
        assert np.array_equal(rewards, same[1]) and np.array_equal(ended, same[2])
        for place in range(3):
            number = int(chosen[place])
            before[place].apply(allowed[place][number] if encoded else listed[place][number])
            if ended[place]:
                result = before[place].result()
                assert tuple(info["points"][place]) == result.points
                assert info["rewards"][place].tolist() == env.board.rewards(before[place])
                assert rewards[place] == info["rewards"][place, acted[place]]
                endings += 1
            else:
                assert env.states[place].observe(None) == before[place].observe(None)
                assert rewards[place] == 0
        assert not cut.any()


@pytest.mark.parametrize("encoded", [True, False])
def test_tables_refuse_what_is_not_allowed_and_name_the_table(encoded):
    env = TablesEnv("potage_sauvage", 2, 2, encoded=encoded)
    env.reset(seed=1)

    for wrong in (-1, 33):
        with pytest.raises(ValueError, match=f"action {wrong} is not allowed at table 1"):
            env.step([0, wrong])


def test_tables_take_throws_too():
    env = TablesEnv("safranito", 2, 2, throws=True, encoded=False)
    env.reset(seed=1)
    before = [state.observe(None)["discs"] for state in env.states]
    rng = np.random.default_rng(1)
    for _ in range(3):
        env.step(rng.random((2, 5)))

    assert [state.observe(None)["discs"] for state in env.states] != before
