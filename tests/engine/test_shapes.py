"""The types of views and events are those of real plays, and the rules' tables say the same."""

from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

from engine import wire
from engine.chance import SeededChance
from engine.games import GAMES
from engine.match import question
from engine.shapes import events, fields, typed, with_tables

BOARDS = [(game, seats) for game in GAMES.values() for seats in game.seats]
PLAYS = {"safranito": 1}  # of a board; its plays are long


def fault(value: Any, kind: Any, where: str = "view") -> str | None:
    """Where a value is not of a type, or None: keys must be exactly those of a TypedDict."""
    if is_typeddict(kind):
        hints = get_type_hints(kind)
        odd = set(value) - set(hints) or kind.__required_keys__ - set(value)
        if odd:
            return f"{where}: {sorted(odd)}"
        parts = ((value[key], hints[key], f"{where}.{key}") for key in value)
    elif get_origin(kind) is list:
        parts = ((one, get_args(kind)[0], f"{where}[]") for one in value)
    elif get_origin(kind) is dict:
        parts = ((one, get_args(kind)[1], f"{where}[{key}]") for key, one in value.items())
    elif get_origin(kind) is Literal:
        return None if value in get_args(kind) else f"{where}: {value!r}"
    elif get_origin(kind) in (Union, UnionType):
        found = [fault(value, one, where) for one in get_args(kind)]
        return None if None in found else f"{where}: {value!r} is none of {kind}"
    elif kind is Any:
        return None
    else:
        fits = type(value) is (NoneType if kind is None else kind)
        fits |= kind is float and type(value) is int
        return None if fits else f"{where}: {value!r} is not {kind}"
    if not isinstance(value, dict if is_typeddict(kind) else get_origin(kind)):
        return f"{where}: {value!r}"
    return next((bad for bad in (fault(*part) for part in parts) if bad), None)


@pytest.mark.parametrize(("game", "seats"), BOARDS, ids=lambda x: getattr(x, "slug", x))
def test_every_view_and_event_of_a_play_has_its_type(game, seats):
    view_type, event_type = typed(game)
    rng = Random(seats)
    positions = 0
    for seed in range(PLAYS.get(game.slug, 6)):
        options = {name: rng.choice(option.choices) for name, option in game.options.items()}
        state = game.start(seats, SeededChance(seed), options)
        told = 0
        state.events = history = []
        while state.to_act is not None:
            line = wire.decide(question(state, state.to_act, history[told:]), id="", cpu_left_ms=9)
            told = len(history)

            view = wire.view_for_script(line)

            assert fault(view, view_type) is None
            assert all(fault(event, event_type, "event") is None for event in view["events"])
            positions += 1
            state.apply(state.sample(rng))
        assert [bad for event in history if (bad := fault(event, event_type, "event"))] == []
    assert positions > 80


def test_a_view_of_another_shape_is_noticed():
    view_type, _ = typed(GAMES["ramen_ramen"])
    state = GAMES["ramen_ramen"].start(2, SeededChance(1))
    line = wire.decide(question(state, 0, []), id="", cpu_left_ms=9)
    view = wire.view_for_script(line)

    assert fault(view, view_type) is None
    assert "view: ['soup']" in fault(view | {"soup": 1}, view_type)
    assert "view: ['deck']" in fault({k: v for k, v in view.items() if k != "deck"}, view_type)
    assert "view.deck" in fault(view | {"deck": "44"}, view_type)
    assert "view.hands[]" in fault(view | {"hands": [[1]]}, view_type)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_the_tables_of_the_rules_are_made_from_the_types(game):
    rules = (game.folder / "RULES.md").read_text(encoding="utf-8")

    assert with_tables(rules, game) == rules, "run `make golden`"
    assert all(words for _, _, words in fields(game))
    assert all(words for _, _, words in events(game))
