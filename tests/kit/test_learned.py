"""The example that learns: from nothing to a bundle that plays in the sandbox."""

from random import Random

import numpy as np
import pytest

import ladle
from engine.chance import SeededChance
from engine.games import GAMES
from ladle.bots import read_bot
from ladle.examples.learned import train
from ladle.examples.learned.bot import outcomes


@pytest.fixture
def bot(tmp_path):
    """The folder of a bot that learned for so many seconds."""

    def made(seconds):
        weights, plays = train.train(seconds, seed=1)
        train.bundle(weights, tmp_path / "learned")
        return tmp_path / "learned", plays

    return made


@pytest.mark.jail
def test_a_few_seconds_of_self_play_make_a_bundle_that_plays_without_a_fault(bot):
    folder, plays = bot(4)

    own, other = ladle.arena("ramen_ramen", [folder, "random"], sets=2, confined=True)

    assert read_bot(GAMES["ramen_ramen"], folder, name="learned", typed="learned").program.is_bundle
    assert plays > 0
    assert (own.faults, other.faults) == ({}, {})


def test_what_it_goes_by_holds_nothing_that_its_seat_cannot_see():
    rng = Random(1)
    state = GAMES["ramen_ramen"].start(2, SeededChance(3))
    while state.to_act is not None:
        twin = state.hidden_twin(state.to_act, rng)

        assert np.array_equal(outcomes(twin), outcomes(state))
        state.apply(state.sample(rng))


def test_a_later_generation_starts_from_its_parent_and_learns_against_it():
    parent, _ = train.train(1, seed=1)

    same, none = train.train(0, seed=2, parent=parent)
    child, plays = train.train(1, seed=2, parent=parent)

    assert none == 0 and all(np.array_equal(same[name], parent[name]) for name in parent)
    assert plays > 0
    assert not np.array_equal(child["outer"], parent["outer"])


@pytest.mark.jail
def test_three_generations_are_three_bundles_each_tried_against_the_one_before(
    tmp_path, monkeypatch, capsys
):
    words = ["--minutes", "0.01", "--generations", "3", "--sets", "1", "--output", str(tmp_path)]
    monkeypatch.setattr("sys.argv", ["train", *words])

    train.main()

    said = capsys.readouterr().out
    assert [folder.name for folder in sorted(tmp_path.iterdir())] == ["1", "2", "3"]
    assert [f"Against generation {n} it wins" in said for n in (1, 2, 3)] == [True, True, False]
    assert said.count("faults {}") == 5


@pytest.mark.jail
@pytest.mark.slow
def test_three_minutes_of_self_play_beat_greedy_with_the_whole_interval(bot):
    folder, _ = bot(180)

    own, _ = ladle.arena("ramen_ramen", [folder, "greedy"], sets=100, confined=True)

    assert own.low > 0.5
