"""Kinds of positions in Safranito: the decision, the stage of the game, and who is ahead."""

from __future__ import annotations

from engine.game import View
from engine.studies.explorer import Explorer, standing


class SafranitoExplorer(Explorer):
    def kind(self, view: View) -> str:
        stage = "early" if view["round"] <= 4 else "later"
        return f"{str(view['kind']).capitalize()}, {stage}, {standing(view)}"

    def answer(self, view: View, action: str) -> str:
        if view["kind"] == "throw" and action[:1] == "t":
            return f"Throw the {action.split()[0][1:]}"
        return super().answer(view, action)


EXPLORER = SafranitoExplorer()
