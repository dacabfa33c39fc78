"""Observations on a common scale, and actions word by word."""

from random import Random

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from engine.games import GAMES
from ladle import Refusal, policies
from ladle.rl import Board, Scale, SeatEnv, TableEnv, TablesEnv, WordsEnv

BOARDS = [(slug, seats) for slug, game in GAMES.items() for seats in (2, max(game.seats))]
DECISIONS = 1_500


def rows_of_other_plays(board):
    """What seats see in plays that no scale was measured from."""
    rng = Random(77)
    policy = policies.quick(board.game.slug)
    rows = []
    while len(rows) < DECISIONS:
        state = board.start(rng)
        while state.to_act is not None:
            rows.append(board.rows([(state, state.to_act)])[0])
            state.apply(state.sample(rng) if rng.random() < 0.3 else policy(state))
    return np.array(rows)


@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_scaled_numbers_vary_alike_in_plays_they_were_not_measured_from(slug, seats):
    exact = rows_of_other_plays(Board(slug, seats))
    scaled = rows_of_other_plays(Board(slug, seats, scaled=True))

    assert exact.shape == scaled.shape
    assert np.abs(scaled).max() <= 5
    frequent = (exact != exact[0]).mean(0) > 0.02  # rare ones are few in so short a sample
    assert frequent.sum() > 30
    spread = scaled.std(0)[frequent]
    assert np.mean((spread > 0.5) & (spread < 2)) > 0.95
    assert np.abs(scaled.mean(0)[frequent]).max() < 1


def test_every_environment_can_be_scaled_and_two_boards_have_one_scale():
    one, two = (SeatEnv("hot_ramen", scaled=True).board.scale for _ in range(2))

    assert np.array_equal(one.deviation, two.deviation)
    for env in (TableEnv("hot_ramen", 2, scaled=True), TablesEnv("hot_ramen", 2, 3, scaled=True)):
        assert np.array_equal(env.board.scale.mean, one.mean)
    tables = TablesEnv("hot_ramen", 2, 3, scaled=True)
    seen, _ = tables.reset(seed=1)
    assert tables.observation_space.contains(seen)
    check_env(SeatEnv("hot_ramen", ["random"], scaled=True), skip_render_check=True)


def test_a_scale_is_kept_beside_weights_and_read_again(tmp_path):
    board = Board("ramen_ramen", 2, scaled=True)
    board.scale.save(tmp_path / "scale.npz")
    state = board.start(Random(1))

    again = Scale.load(tmp_path / "scale.npz")

    exact = board.exact_rows([(state, 0)])
    assert np.array_equal(again(exact), board.rows([(state, 0)]))
    assert not np.array_equal(exact, again(exact))


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
@pytest.mark.parametrize("slug", GAMES)
def test_words_lead_to_every_legal_action_and_to_no_other(slug):
    env = WordsEnv(SeatEnv(slug, ["random"], seat=0))
    check_env(env, skip_render_check=True)
    assert env.action_space.n == len(env.vocabulary.words) <= 1_100
    taken = []
    step = env.env.step
    env.env.step = lambda number: taken.append(number) or step(number)
    rng = np.random.default_rng(3)
    env.reset(seed=2)
    for decision in range(1, 101):
        legal = {n: env.vocabulary.spell(n) for n in env.board.allowed(env.env.state_of_play)}
        wanted = int(rng.choice(list(legal)))
        while len(taken) < decision:
            said = env.said
            nexts = {words[len(said)] for words in legal.values() if words[: len(said)] == said}
            assert set(np.flatnonzero(env.action_masks()).tolist()) == nexts
            observation, reward, ended, _, info = env.step(legal[wanted][len(said)])
            assert not info
            if len(taken) < decision:
                assert observation["said"].sum() == len(env.said) > len(said)
                assert (reward, ended) == (0.0, False)
        assert taken[-1] == wanted
        if ended:
            assert reward in (-1.0, 0.0, 1.0)
            env.reset(seed=decision)


def test_a_word_that_leads_nowhere_loses_and_throws_have_no_words():
    env = WordsEnv(SeatEnv("ramen_ramen", ["random"], seat=0))
    env.reset(seed=1)

    _, reward, ended, _, info = env.step(np.flatnonzero(~env.action_masks())[0])

    assert (reward, ended, info) == (-1.0, True, {"illegal": True})
    with pytest.raises(Refusal, match="no words"):
        WordsEnv(SeatEnv("safranito", ["random"], throws=True))
