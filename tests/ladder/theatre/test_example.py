from __future__ import annotations

import pytest
from django.test import Client

from engine.games import GAMES
from engine.replay import from_json, verify
from ladder.theatre.example import example, source

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
