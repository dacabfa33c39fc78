from __future__ import annotations

from random import Random

import pytest
from django.test import Client

from engine.chance import SeededChance
from engine.games import GAMES
from engine.replay import from_json, verify
from ladder.theatre.example import example, guide, source

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", GAMES)
def test_the_example_of_a_game_is_a_play_by_its_present_rules_with_a_note_on_its_moves(slug):
    game = GAMES[slug]
    told = source(game)
    replay = from_json(told["replay"])

    verify(game, replay)

    moves = sum("action" in entry for entry in replay.log)
    assert replay.rules_version == game.rules_version
    assert replay.result is None
    assert "0" in told["notes"]
    assert all(0 <= int(at) <= moves for at in told["notes"])
    assert len(told["notes"]) >= 6


@pytest.mark.parametrize("slug", GAMES)
def test_the_rules_page_brings_its_example_and_the_drawing_of_the_game(slug):
    page = Client().get(f"/games/{slug}/rules/").content.decode()

    assert 'id="example-setup"' in page
    assert f"games/{slug}/board" in page
    assert example(GAMES[slug])["film"]["names"][:2] == ["Ana", "Ben"]


@pytest.mark.parametrize("slug", GAMES)
def test_the_guide_of_a_game_speaks_of_decisions_that_a_first_play_brings(slug):
    game, given = GAMES[slug], guide(GAMES[slug])

    kinds = set()
    for seed in range(20):
        state, rng = game.start(given["seats"], SeededChance(seed)), Random(seed)
        while state.to_act is not None:
            kinds.add(state.kind)
            state.apply(state.sample(rng))

    assert set(given["notes"]) == kinds
    assert given["bot"] in game.house_bots()
    notes = [note for some in given["notes"].values() for note in some]
    assert all(20 < len(note) <= 180 for note in [*notes, given["end"]])
