"""`ladle conformance`: enough to check another engine, and true."""

import json

import pytest

from engine.chance import RecordedChance
from engine.games import GAMES


@pytest.mark.parametrize("slug", GAMES)
def test_an_engine_fed_the_lines_agrees_with_them(ladle, slug):
    rules = GAMES[slug]
    seats = rules.seats[0]
    ran = ladle("conformance", slug, "--seats", seats, "--seed", 3)
    lines = [json.loads(line) for line in ran.out.splitlines()]

    luck = [{"chance": one["chance"], "value": one["value"]} for one in lines if "chance" in one]
    state = rules.start(seats, RecordedChance(luck), lines[0]["options"])
    for line in lines:
        if line["type"] == "decide":
            assert (state.to_act, state.kind) == (line["seat"], line["kind"])
            assert json.loads(json.dumps(state.observe(line["seat"]))) == line["view"]
            if "legal" in line:
                assert [state.notation(action) for action in state.legal()] == line["legal"]
            state.apply(state.parse(line["action"]))

    assert state.to_act is None
    assert list(state.result().places) == lines[-1]["places"]
    assert ladle("conformance", slug, "--seats", seats, "--seed", 3).out == ran.out


def test_plays_are_of_the_rules_asked_for(ladle, refused):
    words = ("conformance", "ramen_ramen", "--seats", 1, "--seed", 3, "--option")

    first = json.loads(ladle(*words, "empty_deck=second_fridge_card").out.splitlines()[0])

    assert first["options"] == {"empty_deck": "second_fridge_card"}
    assert refused(*words, "nosuch=1") == (
        "Ramen! Ramen! has no option 'nosuch'; its options are empty_deck"
    )


def test_a_seat_count_that_a_game_lacks_is_refused(refused):
    assert "is for 1 to 4 seats" in refused("conformance", "ramen_ramen", "--seats", 9)
