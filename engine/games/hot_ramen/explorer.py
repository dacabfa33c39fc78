"""Kinds of positions in Hot Ramen: how far a turn has come, and who has more health."""

from __future__ import annotations

from engine.game import View
from engine.studies.explorer import Explorer, standing

COLOURS = {"W": "white", "G": "green", "Y": "yellow", "R": "red", "B": "blue", "O": "orange"}


class HotRamenExplorer(Explorer):
    def kind(self, view: View) -> str:
        kind, place = view["kind"], standing(view)
        if kind == "next":
            return f"Roll or stop: {_few(len(view['pepper']), 'pepper')}, {place}"
        if kind == "pick":
            cash = view["players"][view["seat"]]["cash"]
            return f"Choose after a roll: {_few(len(view['pepper']), 'pepper')}, ${min(cash, 4)}"
        return super().kind(view)

    def answer(self, view: View, action: str) -> str:
        verb, _, rest = action.partition(" ")
        colour = COLOURS.get(rest[:1], "")
        return f"{verb.capitalize()} {colour}".strip()


def _few(count: int, noun: str) -> str:
    return f"{count if count < 4 else '4 or more'} {noun}"


EXPLORER = HotRamenExplorer()
