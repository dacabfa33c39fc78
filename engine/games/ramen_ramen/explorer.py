"""Kinds of positions in Ramen! Ramen!: how full the bowls are, and who is ahead."""

from __future__ import annotations

import re

from engine.game import View
from engine.studies.explorer import Explorer, standing

PUT = re.compile(r"(\w+?)(\d)>([A-C])")


class RamenExplorer(Explorer):
    def kind(self, view: View) -> str:
        fullest = max(len(cards) for cards in view["bowls"].values())
        filled = f"{fullest if fullest < 5 else '5 or more'} in the fullest bowl"
        verb = "Put cards" if view["kind"] == "play" else "Take a card"
        return f"{verb}: {filled}, {standing(view)}"

    def answer(self, view: View, action: str) -> str:
        if view["kind"] != "play":
            return f"A card of {_level(int(action[-1]))} value" if action[-1:].isdigit() else action
        fullest = max(len(cards) for cards in view["bowls"].values())
        bowls = [bowl for _, _, bowl in PUT.findall(action)]
        hit = sum(len(view["bowls"][bowl]) == fullest for bowl in bowls)
        return ("None", "One card", "Two cards")[min(hit, 2)] + " into the fullest bowl"


def _level(value: int) -> str:
    return "low" if value <= 2 else "middle" if value <= 4 else "high"


EXPLORER = RamenExplorer()
