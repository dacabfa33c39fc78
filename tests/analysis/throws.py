"""Safranito's analyst as it would judge if it were asked: the site shows no marks by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.analysis.analyst import Analyst, Settings, analyst_for
from engine.game import Action
from engine.games import GAMES
from engine.games.safranito.analyst import SAFFRON, SafranitoAnalyst


class Judging(SafranitoAnalyst):
    """Compares the throws that House Saffron would rehearse; elsewhere all actions."""

    budgets = {"standard": Settings(first=12, pairs=96, worlds=64, checks=24)}

    def candidates(self, state: Any) -> Sequence[Action]:
        if state.can_launch():
            return [tuple(throw) for throw in SAFFRON.Rehearsal(state, None).candidates()]
        return super().candidates(state)


def judge_of(slug: str) -> Analyst:
    return Judging() if slug == "safranito" else analyst_for(GAMES[slug])
