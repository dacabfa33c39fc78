"""RULES.md tells the truth: its dice, its actions and its example."""

import re

from engine.games.hot_ramen import GAME
from engine.games.hot_ramen.dice import FACES
from engine.games.hot_ramen.tests.tables import FixedChance, act, laid_table, stamped

TEXT = (GAME.folder / "RULES.md").read_text(encoding="utf-8")


def test_the_faces_in_the_rules_are_the_faces_that_are_rolled():
    rows = re.findall(r"^\| \w+ \| `(\w)` \| (.*) \|$", TEXT, re.MULTILINE)

    printed = {letter: tuple(faces.replace("–", "-").split()) for letter, faces in rows}

    assert printed == FACES


def test_every_action_in_the_table_of_actions_can_be_read():
    table = TEXT[TEXT.index("## Actions") : TEXT.index("Legal actions are listed")]
    rows = [line.split("|")[2] for line in table.splitlines() if line.startswith("|")][2:]
    actions = [action for row in rows for action in re.findall(r"`([^`]+)`", row)]

    state = laid_table("next")

    assert len(actions) > 12
    assert [state.notation(state.parse(action)) for action in actions] == actions


def test_the_example_turn_goes_as_written():
    state = laid_table("leftover", leftover="W:1 B:2", pouch="WYRRJ")
    state.discards, state.hp, state.market = 1, [14, 15], [1, 1, 3, 3, 5]
    state.leftover[1], state.fresh[1] = stamped("G:1"), stamped("B:4")
    jokers = state.jokers
    draws, first, second, third = [0] * 5, [3, 3, 1, 5, 3], [0, 1, 4, 3], [0]
    state.chance = FixedChance(*draws, *first, *second, *third)

    act(state, "discard W:1")
    assert sorted(state.observe(0)["table"]) == ["J:X2", "R:-", "R:P2", "W:-", "Y:M2"]
    act(state, "pick M", "roll")
    assert sorted(state.observe(0)["table"]) == ["J:X2", "R:P2", "R:P3", "W:R1"]
    act(state, "pick P X2")
    assert state.observe(0)["damage"] == 10
    act(state, "roll", "pick R", "buy O")

    assert state.to_act == 1
    assert state.hp == [14, 10]
    assert state.jokers == jokers + 1
    assert state.observe(0)["players"][0]["fresh"] == ["W:1"]
