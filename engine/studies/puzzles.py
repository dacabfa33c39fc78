"""Puzzles: positions of real plays in which one action is clearly better than all others."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from engine.analysis.analyst import Analyst, Trust, analyst_for, copied
from engine.analysis.judging import points
from engine.analysis.sampling import Worlds, mean_and_error
from engine.analysis.second import SecondOpinion
from engine.analysis.tape import NoLuck
from engine.analysis.values import Analysis, Label, Mark
from engine.game import Action, State
from engine.games import get
from engine.replay import Replay, Steps

GAP = 0.20  # by which the best action must beat every other one,
CLEAR = 3.0  # and by how many standard errors
FEWEST, MOST = 3, 60  # actions to choose from
LOOKS = (12, 48, 96, 256)  # worlds after which a clear case is closed
CHECKS = 24  # worlds in which the slower judge compares the best two


@dataclass(frozen=True, slots=True)
class Grade:
    """What an action costs beside the best one, in hundredths of a point."""

    action: str
    words: str
    lost: int
    error: int


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with one good action. The first of `grades` is that action."""

    before: int  # step of the position
    seat: int
    kind: str
    gap: int  # to the next best, in hundredths of a point
    error: int
    grades: tuple[Grade, ...]
    reason: str  # why it is better than the next best, where the game knows


def promising(analysis: Analysis) -> list[int]:
    """Steps of decisions that may make a puzzle: blunders, and the only good moves."""
    if analysis.trust is not Trust.VALIDATED:
        return []
    sharp = (Label.ONLY, Mark.BLUNDER)
    return [one.step for one in analysis.decisions if one.label in sharp or one.mark in sharp]


def find(replay: Replay, wanted: Collection[int]) -> Iterator[Puzzle | None]:
    """Try the decisions that led to the `wanted` steps; None for one that makes no puzzle."""
    game = get(replay.game)
    analyst = analyst_for(game)
    if analyst.trust is not Trust.VALIDATED:
        return
    steps = Steps(game, replay)
    digest = replay.digest()
    while not steps.is_over:
        before = copied(steps.state, NoLuck())
        step = steps.step + 1
        next(steps)
        if steps.step + 1 in wanted:
            yield puzzle_at(analyst, before, step, f"{analyst.version}/{digest}/{step}/puzzle")


def puzzle_at(analyst: Analyst, state: State, step: int, seed: str) -> Puzzle | None:
    """The puzzle that a position is, if it is one."""
    legal = list(state.legal())
    if state.to_act is None or not FEWEST <= len(legal) <= MOST:
        return None
    worlds = Worlds(analyst, state, seed)
    values: dict[Action, list[float]] = {action: [] for action in legal}
    rivals = legal
    best = legal[0]
    done = 0
    for look in LOOKS:
        for number in range(done, look):
            world = worlds.guess(str(number))
            for action in rivals:
                values[action].append(worlds.outcome(world, action)[worlds.seat])
        done = look
        if look == LOOKS[0]:
            best = max(rivals, key=lambda action: mean_and_error(values[action])[0])
            gaps = {one: _gap(values, best, one) for one in rivals if one != best}
            if any(mean + 2 * error < GAP for mean, error in gaps.values()):
                return None
            # What was chosen by these worlds is not measured in them.
            values = {action: [] for action in legal}
            continue
        gaps = {one: _gap(values, best, one) for one in rivals if one != best}
        if any(mean + error < GAP for mean, error in gaps.values()):
            return None
        # One that is clearly worse is not tried any further.
        rivals = [best, *(one for one, gap in gaps.items() if gap[0] - GAP <= CLEAR * gap[1])]
        if len(rivals) == 1:
            break
    found = sorted(((one, _gap(values, best, one)) for one in legal if one != best), key=_by_gap)
    if any(mean < GAP or mean <= CLEAR * error for _, (mean, error) in found):
        return None
    second, (gap, error) = found[0]
    if not SecondOpinion(analyst, worlds, state).agrees(best, second, CHECKS):
        return None
    return Puzzle(
        before=step,
        seat=state.to_act,
        kind=state.kind,
        gap=points(gap),
        error=points(error),
        grades=(
            Grade(state.notation(best), state.order(best), 0, 0),
            *(
                Grade(state.notation(one), state.order(one), points(mean), points(error))
                for one, (mean, error) in found
            ),
        ),
        reason=analyst.reason(state, state.to_act, second, best),
    )


def _gap(values: dict[Action, list[float]], best: Action, other: Action) -> tuple[float, float]:
    pairs = zip(values[best], values[other], strict=False)
    return mean_and_error([a - b for a, b in pairs])


def _by_gap(row: tuple[Action, tuple[float, float]]) -> float:
    return row[1][0]
