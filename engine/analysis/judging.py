"""What a decision cost, by what its seat could see: regret with a standard error."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.analysis.analyst import Analyst, Settings
from engine.analysis.sampling import Duel, Race, Worlds
from engine.analysis.second import SecondOpinion
from engine.analysis.shares import WHOLE, Points, rounded
from engine.analysis.values import LEAST, Decision, Label, Mark, mark_of
from engine.game import Action, State

ONLY = LEAST[Mark.MISTAKE] / WHOLE
PRAISE = "The only good move: everything else costs 10 points or more."


@dataclass(frozen=True, slots=True)
class Judged:
    """A decision, and what it was worth beside the policy's, to each seat."""

    decision: Decision
    worth: Points
    error: int  # standard error of its worth to the seat that decided


def judge(
    analyst: Analyst, state: State, action: Action, *, settings: Settings, step: int, seed: str
) -> Judged:
    """Judge the action that was played at a table. `state` is a copy that may be looked at."""
    decision, nothing = unjudged(state, action, step), (0,) * state.seats
    if decision.label is Label.FORCED:
        return Judged(decision, nothing, 0)
    worlds = Worlds(analyst, state, seed)
    policy = analyst.act(state)
    candidates = dict.fromkeys([*analyst.candidates(state), policy, action])
    race = Race(worlds, list(candidates), action).run(settings.first)
    best, runner_up = race.first_two()
    # In a game without secrets the curve shows what the policy's action would have been worth.
    rivals = [best, policy] if analyst.game.has_secrets else [best]
    arms = list(dict.fromkeys([action, *rivals]))
    duel = Duel(worlds, arms)
    if best != action:
        duel.run(settings.pairs, best, action)
        decision = _regretted(analyst, state, action, best, duel, decision)
        if decision.mark and settings.checks:
            second = SecondOpinion(analyst, worlds, state)
            if not second.agrees(best, action, settings.checks):
                decision = replace(
                    decision,
                    mark=Mark.NONE,
                    label=Label.DISPUTED,
                    sentence="",
                    better="",
                    instead_of="",
                )
    else:
        if len(arms) > 1:
            duel.run(settings.pairs, action, policy)
        decision = replace(
            decision, label=_praise(race, worlds, action, runner_up, settings), best=decision.played
        )
        if decision.label is Label.ONLY:
            decision = replace(decision, sentence=PRAISE)
    if policy == action or policy not in arms:
        return Judged(decision, nothing, 0)
    worth = rounded(duel.difference(action, policy), 0)
    return Judged(decision, worth, points(duel.gap(action, policy)[1]))


def unjudged(state: State, action: Action, step: int) -> Decision:
    """A decision as a replay has it."""
    assert state.to_act is not None
    options = len(state.legal())
    return Decision(
        step=step,
        seat=state.to_act,
        kind=state.kind,
        played=state.notation(action),
        label=Label.FORCED if options == 1 else Label.UNJUDGED,
        options=options,
    )


def _regretted(
    analyst: Analyst, state: State, action: Action, best: Action, duel: Duel, decision: Decision
) -> Decision:
    """The decision with its regret, where something better was found and holds in fresh worlds."""
    regret, error = map(points, duel.gap(best, action))
    lost, lost_error = map(points, duel.lost(best, action))
    decision = replace(decision, pairs=duel.pairs, lost=lost, lost_error=lost_error)
    if regret <= 0:
        return replace(decision, label=Label.BEST, best=decision.played)
    mark = mark_of(regret, error)
    sentence = better = instead_of = ""
    if mark is not Mark.NONE:
        better, instead_of = state.order(best), state.order(action)
        gain = f"worth {regret / 100:.0f} ± {2 * error / 100:.0f} points more"
        why = analyst.reason(state, decision.seat, action, best)
        sentence = f"Better: {better[0].lower()}{better[1:]}, {gain}. {why}".rstrip()
    return replace(
        decision,
        label=Label.NONE,
        mark=mark,
        best=state.notation(best),
        regret=regret,
        error=error,
        sentence=sentence,
        better=better,
        instead_of=instead_of,
    )


def _praise(
    race: Race, worlds: Worlds, action: Action, second: Action, settings: Settings
) -> Label:
    """What there is to say of the best action found."""
    if race.is_alike:
        return Label.INDIFFERENT
    if not _is_mistake(race.gap(action, second)):
        return Label.BEST
    proof = Duel(worlds, [action, second]).run(settings.pairs, action, second)
    return Label.ONLY if _is_mistake(proof.gap(action, second)) else Label.BEST


def _is_mistake(gap: tuple[float, float]) -> bool:
    mean, error = gap
    return mean >= ONLY and mean > 2 * error


def points(share: float) -> int:
    """In hundredths of a point."""
    return int(share * WHOLE + (0.5 if share >= 0 else -0.5))
