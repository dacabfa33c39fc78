"""Planted blunders that are found, and marks on play that deserves none."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.analysis.analyst import Settings
from engine.analysis.judging import judge
from engine.analysis.values import Decision
from engine.game import Action
from engine.games import GAMES
from tests.analysis.positions import STRONG, Position, sampled
from tests.analysis.reference import Reference
from tests.analysis.throws import judge_of

BAD = 0.10  # what a planted move must cost, by the reference, beyond CLEAR standard errors
CLEAR = 2.5
PAIRS = 64  # of the reference
TRIED, GLANCES = 5, 4  # the worst at a glance of a few random moves is planted
FIRST_PLANTS, FIRST_STRONG = 60_000, 20_000  # seeds of their plays

Row = dict[str, Any]


def judged(
    slug: str, position: Position, action: Action, settings: Settings, luck: str
) -> Decision:
    return judge(
        judge_of(slug),
        position.state,
        action,
        settings=settings,
        step=1,
        seed=f"{luck}/{position.name}",
    ).decision


def plant(slug: str, trial: int, settings: Settings) -> Row:
    """A bad move in a play of the strong bot, and what the reference and the analyst say of it.

    The reference compares it with what the strong bot played; the analyst is asked only about
    those that the reference finds bad.
    """
    game = GAMES[slug]
    reference = Reference(game)
    seeds = range(FIRST_PLANTS + trial, FIRST_PLANTS + trial + 1)
    (position,) = sampled(game, (STRONG[slug], STRONG[slug]), seeds, 1)
    state, rng = position.state, Random(position.name)
    others = [one for one in state.legal() if one != position.action]
    tried = rng.sample(others, min(TRIED, len(others)))
    if not tried:  # throws, of which there is no end
        tried = [state.sample(rng) for _ in range(TRIED)]
    view = state.observe(state.to_act)
    worlds = [game.determinize(view, Random(f"{position.name}/{n}")) for n in range(GLANCES)]

    def at_a_glance(action: Action) -> float:
        return sum(reference.outcome(world, action, position.name, 0) for world in worlds)

    planted = min(tried, key=at_a_glance)
    gap, error = reference.gap(
        state, position.action, planted, pairs=PAIRS, seed=f"{position.name}/plant"
    )
    row: Row = {"gap": round(gap, 3), "error": round(error, 3), "confirmed": False}
    if is_bad(gap, error):
        # What was chosen by a sample looks worse in it than it is, so a fresh one must agree.
        gap, error = reference.gap(
            state, position.action, planted, pairs=2 * PAIRS, seed=f"{position.name}/again"
        )
        row |= {"again": [round(gap, 3), round(error, 3)], "confirmed": is_bad(gap, error)}
    if row["confirmed"]:
        decision = judged(slug, position, planted, settings, "plant")
        found = {"mark": str(decision.mark), "label": str(decision.label)}
        row |= found | {"regret": decision.regret, "se": decision.error}
    return row


def is_bad(gap: float, error: float) -> bool:
    return gap >= BAD and gap > CLEAR * error


def own(slug: str, trial: int, settings: Settings, decisions: int = 4) -> list[Row]:
    """Decisions of the strong bot, and what the analyst itself would have played there."""
    game = GAMES[slug]
    seeds = range(FIRST_STRONG + trial, FIRST_STRONG + trial + 1)
    rows = []
    for position in sampled(game, (STRONG[slug], STRONG[slug]), seeds, decisions):
        strong = judged(slug, position, position.action, settings, "strong")
        best = position.state.parse(strong.best)
        advised = judged(slug, position, best, settings, "again")
        rows.append({"strong": str(strong.mark), "advised": str(advised.mark)})
    return rows
