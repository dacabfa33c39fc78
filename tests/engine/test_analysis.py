"""Analyses add up, are the same everywhere, and judge by what a seat could see."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from engine.analysis import exact
from engine.analysis.analyst import Analyst, Settings, Trust, analyst_for, copied
from engine.analysis.judging import judge
from engine.analysis.run import Run, analyse, budget
from engine.analysis.shares import rounded, shares_of
from engine.analysis.tape import NoLuck, Tape
from engine.analysis.values import Analysis, Label, Mark, mark_of
from engine.errors import BadReplay, BadSetup
from engine.game import Game
from engine.games import GAMES
from engine.local import ScriptPlayer
from engine.match import play
from engine.replay import Replay, Steps

SMALL = Settings(first=2, pairs=4, worlds=2, checks=2)
BOARDS = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats if seats > 1]
CRASHING = """
def decide(view):
    return view["legal"][0 if view["deck"] > 20 else 999]
"""

ELSEWHERE = """
import sys
from pathlib import Path
from engine.analysis.analyst import Settings
from engine.analysis.run import analyse
from engine.replay import read

replay = read(Path(sys.argv[1]).read_bytes())
sys.stdout.buffer.write(analyse(replay, Settings(2, 4, 2, 2)).to_bytes())
"""


def played(game: Game, *bots: str, seed: int = 7) -> Replay:
    table = [ScriptPlayer.from_file(game.house_bots()[name]) for name in bots]
    return play(game, table, seed=seed).replay


def adds_up(analysis: Analysis) -> bool:
    seats = analysis.reports
    return (
        all(s.start + s.luck + s.own + s.others == s.result for s in seats)
        and sum(s.luck for s in seats) == 0
        and all(sum(term.change) == 0 for term in analysis.terms)
    )


@pytest.mark.parametrize(("slug", "seats"), BOARDS)
def test_start_luck_and_decisions_add_up_to_the_result_on_every_board(slug, seats):
    replay = played(GAMES[slug], *(["random", "greedy"] * 3)[:seats])

    analysis = analyse(replay, SMALL)

    assert adds_up(analysis)
    assert len(analysis.decisions) == sum("action" in entry for entry in replay.log)
    assert len(analysis.curve) == len(analysis.decisions) + 1
    sides = GAMES[slug].sides(seats)
    assert analysis.curve[-1].expected == rounded(
        shares_of(replay.result.places, sides), 5000 * seats
    )


@pytest.mark.parametrize("slug", GAMES)
def test_another_process_with_other_hashes_finds_the_same_numbers(slug, tmp_path):
    replay = played(GAMES[slug], "greedy", "greedy")
    path = tmp_path / "r.json.gz"
    path.write_bytes(replay.to_gzip())

    told = subprocess.run(
        [sys.executable, "-c", ELSEWHERE, path],
        env={**os.environ, "PYTHONHASHSEED": "5"},
        capture_output=True,
        check=True,
    ).stdout

    analysis = analyse(replay, SMALL)
    assert told == analysis.to_bytes()
    assert json.loads(told)["key"] == analysis.key
    assert replace(analysis, settings=Settings(2, 4, 3, 2)).key != analysis.key


@pytest.mark.parametrize("slug", [s for s, game in GAMES.items() if game.has_secrets])
def test_a_judgement_does_not_depend_on_what_the_seat_could_not_see(slug):
    game = GAMES[slug]
    analyst = analyst_for(game)
    replay = played(game, "random", "random")
    steps, looked = Steps(game, replay), 0
    while not steps.is_over and looked < 12:
        state = copied(steps.state, NoLuck())
        action = state.parse(next(steps)["action"])
        if steps.step % 3 or len(state.legal()) == 1:
            continue
        looked += 1
        twin = state.hidden_twin(state.to_act, Random(steps.step))
        assert twin.observe(None) != state.observe(None)
        assert analyst.act(state) == analyst.act(twin)
        if analyst.trust is Trust.VALIDATED:
            one, other = (
                judge(analyst, table, action, settings=SMALL, step=1, seed="s")
                for table in (state, twin)
            )
            assert one == other
    assert looked


def test_a_planted_blunder_is_marked_and_what_the_analyst_advises_is_not():
    game = GAMES["ramen_ramen"]
    analyst = analyst_for(game)
    budgeted = Settings(first=24, pairs=256, worlds=0, checks=24)
    marks = {"worst": 0, "advised": 0}
    for seed in range(5):
        state = game.start(2, Tape(str(seed)))
        while len(state.deck) > 6:
            state.apply(analyst.act(state))
        while state.kind != "play":
            state.apply(analyst.act(state))
        gifts = sorted(state.legal(), key=lambda action: after(analyst, state, action))
        worst = judge(analyst, state, gifts[0], settings=budgeted, step=1, seed="a").decision
        advised = state.parse(worst.best)
        again = judge(analyst, state, advised, settings=budgeted, step=1, seed="b").decision
        marks["worst"] += worst.mark in (Mark.MISTAKE, Mark.BLUNDER)
        marks["advised"] += again.mark in (Mark.MISTAKE, Mark.BLUNDER)
    assert marks["worst"] >= 4
    assert marks["advised"] == 0


def after(analyst: Analyst, state, action) -> float:
    """The share of the seat to act with the hidden cards as they lie, and its lead in points."""
    twin = state.copy()
    twin.apply(action)
    share = analyst.play_out(twin, 0)[state.to_act]
    return share + 0.01 * (twin.points[state.to_act] - twin.points[1 - state.to_act])


def test_a_crash_is_booked_on_the_bot_that_crashed():
    game = GAMES["ramen_ramen"]
    table = [ScriptPlayer(CRASHING), ScriptPlayer.from_file(game.house_bots()["greedy"])]
    replay = play(game, table, seed=1).replay

    analysis = analyse(replay, SMALL)

    assert adds_up(analysis)
    assert analysis.terms[-1].cause == "fault"
    assert analysis.terms[-1].seat == 0
    assert analysis.reports[0].result == 0


def test_a_play_that_is_not_over_and_a_solo_play_are_refused():
    game = GAMES["ramen_ramen"]
    with pytest.raises(BadReplay, match="not over"):
        analyse(played(game, "greedy", "greedy").cut(9))
    with pytest.raises(BadSetup, match="no opponents"):
        analyse(played(game, "greedy"))
    with pytest.raises(BadSetup, match="quick, standard, thorough"):
        budget(analyst_for(game), "huge")


def test_an_analyst_that_was_not_validated_blames_nobody():
    game = GAMES["safranito"]
    analysis = analyse(played(game, "random", "greedy"), SMALL)

    assert analysis.trust is Trust.UNVALIDATED
    assert {one.label for one in analysis.decisions} <= {Label.FORCED, Label.UNJUDGED}
    assert not any(one.mark or one.regret for one in analysis.decisions)
    assert {report.lost_per_100 for report in analysis.reports} == {None}


def test_a_game_without_an_analyst_gets_a_rough_curve(monkeypatch):
    from engine.analysis.rough import Rough

    game = GAMES["ramen_ramen"]
    rough = Rough(game)
    monkeypatch.setattr("engine.analysis.run.analyst_for", lambda game: rough)

    analysis = Run(played(game, "random", "greedy"), Settings(0, 0, 1))
    for _ in analysis.steps():
        pass

    assert adds_up(analysis.analysis())
    assert analysis.analysis().trust is Trust.ROUGH


def test_regret_is_marked_only_beyond_two_standard_errors():
    assert [mark_of(regret, 100) for regret in (499, 500, 999, 1000, 1999, 2000)] == [
        "",
        "slip",
        "slip",
        "mistake",
        "mistake",
        "blunder",
    ]
    assert mark_of(2000, 1000) is Mark.NONE


def test_rounded_shares_add_up_to_the_hundredth():
    assert rounded([5 / 6, 5 / 6, 1 / 3, 0], 20_000) == (8334, 8333, 3333, 0)
    assert rounded([0.00001, -0.00001], 0) == (0, 0)
    assert sum(rounded([0.12345, -0.1, -0.02345], 0)) == 0


def test_exact_arithmetic_is_that_of_the_library():
    for number in range(-300, 300):
        assert exact.exp(number / 7) == pytest.approx(math.exp(number / 7), rel=1e-14)
    for number in range(1, 500):
        assert exact.log(number / 4) == pytest.approx(math.log(number / 4), rel=1e-14, abs=1e-15)
    assert exact.chance_to_beat(3.3) + exact.chance_to_beat(-3.3) == 1.0


def test_all_forks_of_a_tape_meet_the_same_luck_by_stream():
    tape = Tape("a")
    twin = tape.fork()
    first = [tape.roll("x", 6, 5), tape.shuffle("deck", 9), tape.bells("throw", 2)]

    assert [twin.bells("throw", 2), twin.shuffle("deck", 9), twin.roll("x", 6, 5)] == first[::-1]
    assert tape.roll("x", 6, 20) == twin.roll("x", 6, 20) != tape.fork().roll("x", 6, 20)
    assert Tape("b").roll("x", 6, 20) != Tape("a").roll("x", 6, 20)
