"""`ladle.rl.openspiel`: our games pass OpenSpiel's own test, and its algorithms run on them."""

import subprocess
import sys
from random import Random

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation

from engine.games import GAMES
from ladle.rl import openspiel

BOARDS = [
    (name, seats)
    for name in openspiel.NAMES
    for seats in GAMES[name.removeprefix(openspiel.PREFIX)].seats
    if seats > 1
]


def dealt(name, deal=3):
    state = pyspiel.load_game(name).new_initial_state()
    state.apply_action(deal)
    return state


@pytest.mark.parametrize(("name", "seats"), BOARDS)
def test_every_board_passes_the_simulation_test_of_openspiel(name, seats):
    game = pyspiel.load_game(f"{name}(players={seats},deals=20)")

    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


def test_the_card_and_dice_games_are_there_and_the_throwing_game_is_not():
    assert openspiel.NAMES == ["ladle_hot_ramen", "ladle_potage_sauvage", "ladle_ramen_ramen"]


def test_a_deal_is_the_play_of_its_seed_and_a_copy_goes_its_own_way():
    one, other = dealt("ladle_potage_sauvage"), dealt("ladle_potage_sauvage")
    twin = one.clone()

    twin.apply_action(twin.legal_actions()[0])

    assert str(one) == str(other) != str(twin)
    assert str(one) != str(dealt("ladle_potage_sauvage", deal=4))


def test_what_a_player_is_told_is_its_view_as_text_and_as_numbers():
    state = dealt("ladle_ramen_ramen")
    observation = make_observation(state.get_game())
    board = openspiel.board_of(state.get_game())

    observation.set_from(state, 1)

    features = board.layout.get(observation.tensor, 0)
    assert features == board.features(state.kept.play.observe(1))
    assert '"seat":1' in state.information_state_string(1)


def test_information_set_search_plays_a_whole_play():
    game = pyspiel.load_game("ladle_potage_sauvage(players=2,deals=50)")
    rng, luck = Random(1), np.random.RandomState(1)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, luck), 2.0, 4, random_state=luck)
    bot.set_resampler(lambda state, player: openspiel.resample(state, player, rng))
    state = dealt("ladle_potage_sauvage(players=2,deals=50)")
    while not state.is_terminal():
        mine = state.current_player() == 0
        state.apply_action(bot.step(state) if mine else rng.choice(state.legal_actions()))

    assert sum(state.returns()) == 0


def test_what_is_dealt_anew_looks_the_same_to_the_player_alone():
    state = dealt("ladle_potage_sauvage")

    twin = openspiel.resample(state, 0, Random(1))

    assert twin.information_state_string(0) == state.information_state_string(0)
    assert twin.information_state_string(1) != state.information_state_string(1)


def test_counterfactual_regret_minimisation_learns_a_policy():
    game = pyspiel.load_game("ladle_potage_sauvage(players=2,deals=2)")
    solver = pyspiel.OutcomeSamplingMCCFRSolver(game, 0.6, 1)
    for _ in range(4):
        solver.run_iteration()
    state = dealt("ladle_potage_sauvage(players=2,deals=2)", deal=1)

    policy = solver.average_policy().action_probabilities(state)

    assert set(policy) == set(state.legal_actions())
    assert sum(policy.values()) == pytest.approx(1)


def test_a_program_that_loads_a_game_ends_in_order():
    code = "import pyspiel, ladle.rl.openspiel; pyspiel.load_game('ladle_hot_ramen')"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert (done.returncode, done.stderr) == (0, "")
