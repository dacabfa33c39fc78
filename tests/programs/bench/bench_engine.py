"""A random decision in our games beside one in OpenSpiel's C++ games and in python-chess.

Every side is driven from Python by the same loop: list the legal actions, pick one, apply it,
until the play is over. The stopwatch counts CPU time from the first decision to the end, so the
deal is left out and the luck met during play is in: ours inside `apply`, Potage Sauvage's later
deals among it; OpenSpiel's as chance nodes, drawn by their odds. Safranito's throws are left out.
Each figure is that time by the number of players' decisions. Every round measures all contestants
one after another on fixed seeds, and medians over the rounds are compared.

OpenSpiel's plays are also timed once more with every draw known beforehand, as it is in a deck
that was shuffled at the start: told for comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import cycle
from random import Random
from statistics import median
from time import thread_time_ns
from typing import Any

import chess
import pyspiel

from engine.chance import Chance, RandomChance, SeededChance
from engine.games import GAMES
from tests.programs.bench.rows import Progress, Row

ROUNDS = 31
DECISIONS = 2000  # at least so many in a sample, in whole plays
CHESS_MOVES = 400
CHESS_PLIES = 120

NOTE = (
    "Engine: CPU time per player's decision, one loop for all (legal actions, random pick, apply),"
    " from after the deal to the end of the play; luck during play counts on both sides, throws"
    f" on none. All seat counts in turn; medians of {ROUNDS} interleaved samples. *Seeded luck*"
    " is what matches are played with, plain luck what bots search with. *Draws known* leaves"
    " out what OpenSpiel's chance nodes cost during play."
)

GOALS = [
    ("ramen_ramen", "crazy_eights", 1.0),
    ("ramen_ramen", "python-chess", 0.1),
    ("potage_sauvage", "crazy_eights", 1.0),
    ("hot_ramen", "gin_rummy", 1.0),
    ("safranito", "gin_rummy", 1.0),
]


def run(progress: Progress) -> list[Row]:
    contestants: dict[str, Callable[[Random], float]] = {"python-chess": chess_games}
    for rival in ("crazy_eights", "gin_rummy"):
        contestants[rival] = partial(open_spiel, pyspiel.load_game(rival))
        contestants[f"{rival}, draws known"] = partial(
            open_spiel, pyspiel.load_game(rival), draws_known=True
        )
    for slug in dict.fromkeys(slug for slug, _, _ in GOALS):
        contestants[slug] = partial(ours, slug, RandomChance)
        contestants[f"{slug}, seeded"] = partial(ours, slug, seeded)
    samples: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(ROUNDS):
        progress(f"random decisions, round {number + 1} of {ROUNDS}")
        for name, measure in contestants.items():
            samples[name].append(measure(Random(number)))
    took = {name: median(values) for name, values in samples.items()}
    rows = []
    for slug, rival, goal in GOALS:
        what = f"{GAMES[slug].title}, a decision{', no throws' if slug == 'safranito' else ''}"
        rows.append(Row(f"{what} v {rival}", "us", took[slug], took[rival], goal))
        lucky = took[f"{slug}, seeded"]
        rows.append(Row(f"{what}, seeded luck, v {rival}", "us", lucky, took[rival]))
        if known := took.get(f"{rival}, draws known"):
            rows.append(Row(f"{what} v {rival}, draws known", "us", took[slug], known))
    return rows


def seeded(rng: Random) -> SeededChance:
    return SeededChance(rng.getrandbits(40))


def ours(slug: str, luck: Callable[[Random], Chance], rng: Random) -> float:
    """Microseconds per decision, throws left out."""
    uniform = rng.random
    spent = count = 0
    for seats in cycle(GAMES[slug].seats):
        state = GAMES[slug].start(seats, luck(rng))
        while state.to_act is not None:
            if state.kind == "throw":
                state.apply(state.sample(rng))
                continue
            began = thread_time_ns()
            while state.to_act is not None and state.kind != "throw":
                actions = state.legal()
                state.apply(actions[int(uniform() * len(actions))])
                count += 1
            spent += thread_time_ns() - began
        if count >= DECISIONS and seats == GAMES[slug].seats[-1]:
            return spent / count / 1000
    raise AssertionError("a game has seat counts")


def open_spiel(game: Any, rng: Random, *, draws_known: bool = False) -> float:
    """Microseconds per player's decision."""
    uniform = rng.random
    spent = count = 0
    while count < DECISIONS:
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(drawn(state, rng))
        dealt = state.clone()
        began = thread_time_ns()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(drawn(state, rng))
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(uniform() * len(actions))])
                count += 1
        took = thread_time_ns() - began
        spent += play_again(dealt, state) if draws_known else took
    return spent / count / 1000


def drawn(state: Any, rng: Random) -> int:
    outcomes, odds = zip(*state.chance_outcomes(), strict=True)
    return int(rng.choices(outcomes, odds)[0])


def play_again(dealt: Any, over: Any) -> int:
    """Nanoseconds for the same play with nothing to draw."""
    steps = [(step.player, step.action) for step in over.full_history()]
    steps = steps[len(dealt.full_history()) :]
    began = thread_time_ns()
    for player, action in steps:
        if player >= 0:
            dealt.legal_actions()
        dealt.apply_action(action)
    return thread_time_ns() - began


def chess_games(rng: Random) -> float:
    """Microseconds per move."""
    uniform = rng.random
    spent = count = 0
    while count < CHESS_MOVES:
        board = chess.Board()
        began = thread_time_ns()
        while board.ply() < CHESS_PLIES:
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(moves[int(uniform() * len(moves))])
            count += 1
        spent += thread_time_ns() - began
    return spent / count / 1000
