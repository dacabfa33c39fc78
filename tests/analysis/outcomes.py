"""Expectations beside what came of them, sums that add up, and what the luck term saves."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from engine.analysis.analyst import Settings, analyst_for, copied
from engine.analysis.run import Run, analyse
from engine.analysis.sampling import mean_and_error
from engine.analysis.shares import shares_of
from engine.analysis.tape import NoLuck
from engine.game import Result
from engine.games import GAMES
from engine.local import ScriptPlayer
from engine.match import Answer, Fault, OpenPlay, Question, play
from engine.replay import Replay, Steps
from tests.analysis.positions import STRONG, duel

MOMENTS = 3  # of a play
WORLDS = 32
CLUMSY = 0.15  # of its moves are random
FIRST_PLAYS, FIRST_SETS = 30_000, 40_000


def expected(slug: str, trial: int, *, policy: bool = False) -> list[tuple[float, float]]:
    """Of a play between equals: what seat 1 could expect at some moments, and what it got.

    Four plays in five are of House Greedy with itself, the others of the strong bot; or all are
    of the analyst's own `policy`.
    """
    game = GAMES[slug]
    analyst = analyst_for(game)
    name = STRONG[slug] if trial % 5 == 4 else "greedy"
    seed = FIRST_PLAYS + trial
    replay = by_policy(slug, seed) if policy else duel(game, (name, name), seed)
    got = shares_of(replay.result.places, game.sides(2))[0]
    steps = Steps(game, replay)
    tables = []
    while not steps.is_over:
        tables.append(copied(steps.state, NoLuck()))
        next(steps)
    rows = []
    for state in Random(trial).sample(tables, min(MOMENTS, len(tables))):
        until = analyst.horizon(state)
        shares = [
            analyst.play_out(analyst.with_other_luck(state, n, f"{slug}/{trial}"), until)[0]
            for n in range(WORLDS)
        ]
        rows.append((round(mean_and_error(shares)[0], 4), got))
    return rows


def by_policy(slug: str, seed: int) -> Replay:
    """A play of the analyst's policy with itself."""
    game = GAMES[slug]
    table = OpenPlay.open(game, 2, seed=seed)
    steps = table.steps()
    asked = next(steps, None)
    while asked is not None:
        action = table.state.notation(analyst_for(game).act(table.state))
        try:
            asked = steps.send(Answer(action))
        except StopIteration:
            asked = None
    return replace(table.replay(seed=seed, seating=[]), result=table.result)


def largest_gap(slug: str, trial: int) -> int:
    """By how much start, luck and decisions miss the result, in hundredths of a point."""
    game = GAMES[slug]
    seats = [count for count in game.seats if count > 1][trial % (len(game.seats) - 1)]
    bots = [ScriptPlayer.from_file(game.house_bots()["greedy"]) for _ in range(seats)]
    replay = play(game, bots, seed=FIRST_PLAYS + trial).replay
    analysis = analyse(replay, Settings(first=2, pairs=4, worlds=2, checks=2))
    missed = [r.start + r.luck + r.own + r.others - r.result for r in analysis.reports]
    return max(abs(gap) for gap in [*missed, sum(r.luck for r in analysis.reports)])


class Clumsy(ScriptPlayer):
    """House Greedy, but some of its moves are random."""

    rate = CLUMSY

    def start(self, **given: object) -> None:
        super().start(**given)
        self._rng = Random(f"{given['luck']}/clumsy")

    def decide(self, question: Question) -> Answer | Fault:
        if self._rng.random() < self.rate:
            return Answer(self._rng.choice(question.legal or question.suggestions))
        return super().decide(question)

    def end(self, result: Result) -> None:
        pass


def duplicate_set(slug: str, trial: int, *, clumsy: float = CLUMSY) -> tuple[float, float]:
    """What House Greedy got of its clumsy twin in a duplicate set, and its luck in it."""
    game = GAMES[slug]
    path = game.house_bots()["greedy"]
    got = luck = 0.0
    for seat in (0, 1):
        table = [Clumsy.from_file(path), Clumsy.from_file(path)]
        table[1 - seat].rate = clumsy
        table[seat] = ScriptPlayer.from_file(path)
        replay = play(game, table, seed=FIRST_SETS + trial).replay
        run = Run(replay, Settings(first=0, pairs=0, worlds=WORLDS), judging=False)
        for _ in run.steps():
            pass
        report = run.analysis().reports[seat]
        got += report.result / 20_000
        luck += report.luck / 20_000
    return got, luck
