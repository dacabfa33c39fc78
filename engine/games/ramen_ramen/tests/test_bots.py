"""The house bots, asked as a match asks them."""

from random import Random

import pytest

from engine import wire
from engine.chance import SeededChance
from engine.games import GAMES
from engine.match import question
from engine.script import Script

GAME = GAMES["ramen_ramen"]
SCRIPTS = {
    name: Script(path.read_text(encoding="utf-8"), path.name)
    for name, path in GAME.house_bots().items()
    if path.suffix == ".py"
}


def ask(name, state, cpu_left_ms=1020):
    line = wire.decide(question(state, state.to_act, []), id="", cpu_left_ms=cpu_left_ms)
    return SCRIPTS[name].decide(wire.view_for_script(line))


def final_points(names, seed):
    state = GAME.start(len(names), SeededChance(seed))
    while state.to_act is not None:
        state.apply(state.parse(ask(names[state.to_act], state)))
    return state.result().points


@pytest.mark.parametrize("seats", GAME.seats)
@pytest.mark.parametrize("name", sorted(SCRIPTS))
@pytest.mark.parametrize("variant", GAME.options["empty_deck"].choices)
def test_a_house_bot_always_answers_with_a_listed_action(name, seats, variant):
    rng = Random(seats)
    state = GAME.start(seats, SeededChance(seats), {"empty_deck": variant})
    step = 0
    while state.to_act is not None:
        if step % 3 == 0 or not state.deck:
            # Short of time, the chef takes its shortest way.
            answer = ask(name, state, cpu_left_ms=100)
            assert answer in [state.notation(action) for action in state.legal()]
        state.apply(state.sample(rng))
        step += 1


def test_the_chef_gives_one_answer_to_one_view():
    state = GAME.start(2, SeededChance(4))

    assert ask("chef", state) == ask("chef", state)


@pytest.mark.parametrize("name", ["greedy", "chef"])
def test_a_seven_type_bowl_is_served_when_it_can_be(table, name):
    six = "ajitama0 chashu0 kamaboko0 menma2 nori5 shiitake3"
    state = table(2, hands=["negi0 chashu5 menma5 ajitama5"], bowls=(six, "", ""))

    assert "negi0>A" in ask(name, state).split()


@pytest.mark.parametrize("name", ["greedy", "chef"])
def test_an_opponents_good_bowl_is_not_completed_for_it(table, name):
    five = "ajitama0 chashu0 kamaboko3 menma4 shiitake5"
    state = table(3, hands=["negi7 nori7 chashu1 menma1"], bowls=("", five, ""))

    assert not {"negi7>B", "nori7>B"} & {*ask(name, state).split()}


def test_the_chef_does_not_leave_a_rich_communal_bowl_to_be_completed(table):
    five = "ajitama0 chashu0 kamaboko1 menma2 shiitake3"
    state = table(2, hands=["negi4 ajitama1 chashu1 ajitama2"], bowls=(five, "", ""))

    assert "negi4>A" not in ask("chef", state).split()


def test_solo_the_chef_outscores_greedy_and_greedy_outscores_random():
    means = {
        name: sum(final_points([name], seed)[0] for seed in range(4)) / 4
        for name in ("random", "greedy", "chef")
    }

    assert means["random"] < means["greedy"] < means["chef"]
