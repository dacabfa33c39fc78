"""The house bots play every table without a fault, and thinking pays."""

import pytest

from engine.arena import Entry, run
from engine.chance import SeededChance
from engine.games.potage_sauvage import GAME
from engine.local import ScriptPlayer
from engine.match import play
from engine.script import Script


def bot(name: str) -> ScriptPlayer:
    return ScriptPlayer.from_file(GAME.house_bots()[name])


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("options", [{}, {"open_recipes": True, "free_trash": True}])
def test_house_bots_play_without_a_fault(seats, options):
    names = ["greedy", "random", "greedy", "random", "greedy"][:seats]

    played = play(GAME, [bot(name) for name in names], seed=1, options=options)

    assert played.faults == {}


@pytest.mark.parametrize(
    "options", [{}, {"open_recipes": True, "free_trash": True, "trash_penalty": "herb+reset"}]
)
def test_marmite_plays_without_a_fault_and_keeps_to_its_clock(options):
    played = play(GAME, [bot("marmite"), bot("random"), bot("greedy")], seed=1, options=options)

    assert played.faults == {}
    decisions = [entry for entry in played.replay.log if "action" in entry]
    spent_us = sum(
        cpu
        for entry, cpu in zip(decisions, played.replay.cpu_us, strict=True)
        if entry["seat"] == 0
    )
    asked = sum(entry["seat"] == 0 for entry in decisions)
    assert spent_us < 1000 * (GAME.limits.bank_ms + asked * GAME.limits.increment_ms)


def test_marmite_answers_at_once_when_its_clock_is_nearly_empty():
    state = GAME.start(2, SeededChance(1))
    view = state.observe(state.to_act) | {
        "legal": [state.notation(action) for action in state.legal()],
        "cpu_left_ms": 0,
    }

    script = Script(GAME.house_bots()["marmite"].read_text(encoding="utf-8"))

    assert script.decide(view) in view["legal"]


def test_greedy_beats_random():
    entries = [Entry([bot("greedy")]), Entry([bot("random")])]

    greedy, _ = run(GAME, 2, lambda: entries, sets=15)

    assert greedy.win_rate()[0] > 0.7
