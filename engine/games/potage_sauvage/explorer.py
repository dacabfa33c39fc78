"""Kinds of positions in Potage Sauvage: leading or following, and how full the pot is."""

from __future__ import annotations

from engine.game import View
from engine.studies.explorer import Explorer, standing


class PotageExplorer(Explorer):
    def kind(self, view: View) -> str:
        if view["kind"] != "card":
            return super().kind(view)
        if not view["pot"]:
            return f"Lead a card, {standing(view)}"
        total = view["total"]
        level = "below 5" if total < 5 else "from 5 to 9" if total < 10 else "10 or more"
        return f"Follow, pot {level}, {standing(view)}"

    def answer(self, view: View, action: str) -> str:
        if view["kind"] != "card" or not action:
            return super().answer(view, action)
        suit, value = action[0], action[1:]
        own = view["recipes"][view["seat"]]
        whose = "of its recipe" if suit == own else "of another kind"
        if not value.isdigit():
            return f"Special card {whose}"
        level = "Low" if int(value) <= 2 else "Middle" if int(value) <= 4 else "High"
        return f"{level} card {whose}"


EXPLORER = PotageExplorer()
