"""RULES.md tells the truth: its dishes, its events, its actions."""

import re
from random import Random

from engine.chance import SeededChance
from engine.games import GAMES
from engine.games.safranito.actions import DISH_NAMES, TEXTS

GAME = GAMES["safranito"]
TEXT = (GAME.folder / "RULES.md").read_text(encoding="utf-8")


def test_the_dishes_in_the_rules_are_the_dishes_of_the_shuffle_by_their_numbers():
    printed = re.findall(r"\| (\d+) \| `([a-z+]+)` ", TEXT)

    assert {int(number): name for number, name in printed} == dict(enumerate(DISH_NAMES))


def test_the_rules_name_every_event_and_all_of_its_facts():
    table = TEXT[TEXT.index("| event | facts |") : TEXT.index("## Luck")]
    told = {}
    for line in table.splitlines()[2:]:
        if line.startswith("|"):
            _, names, facts, _ = line.split("|")
            for name in re.findall(r"`([^`]+)`", names):
                told[name] = facts
    state = GAME.start(3, SeededChance(5), {"p_flip": 0.5})
    state.events, rng = [], Random(5)
    while state.to_act is not None:
        state.apply(state.sample(rng))

    seen = {event["event"]: event for event in state.events}
    assert set(seen) > {"round", "slide", "space", "use", "bowl", "sell", "buy"}
    for name, event in seen.items():
        for fact in set(event) - {"event"}:
            assert f"`{fact}`" in told[name], (name, fact)


def test_the_rules_name_every_field_of_a_view():
    view = GAME.start(2, SeededChance(5)).observe(0)

    common = {"game", "seats", "seat", "options", "to_act", "kind"}
    assert [field for field in set(view) - common if f"`{field}`" not in TEXT] == []


def test_the_rules_name_every_kind_of_action():
    for text in TEXTS.values():
        assert f"`{text.split(' ')[0]}" in TEXT


def test_every_stream_of_luck_in_a_play_is_in_the_rules():
    log = []
    state = GAME.start(2, SeededChance(5, log), {"p_flip": 0.5})
    rng = Random(5)
    while state.round < 3:
        state.apply(state.sample(rng))

    drawn = {entry["chance"].replace("seat1", "seat0") for entry in log}
    assert drawn == {"dishes", "spices", "chef", "throw/seat0", "flip/seat0"}
    assert all(f"`{stream}`" in TEXT for stream in drawn)
