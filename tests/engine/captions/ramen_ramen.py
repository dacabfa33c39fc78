"""Sentences of Ramen! Ramen!: cards put, bowls served and for whom, cards taken from the fridge."""

from __future__ import annotations

import re
from collections import Counter
from typing import ClassVar

from tests.engine.captions import SEAT, Frame, Listener, View, seat, seats

CARD = r"([A-Z]\w+ \d)"
PUT = rf"{CARD} into bowl ([ABC])"


def notation(card: str) -> str:
    return card.lower().replace(" ", "")


class RamenRamen(Listener):
    heard: ClassVar[dict[str, str]] = {
        rf"{SEAT} puts ({PUT}(?: and {PUT})?)": "put",
        rf"{SEAT} takes {CARD} from the fridge": "take",
        r"Bowl ([ABC]) is served with (\d) kinds?: (\d+) points? for (.+)": "serve",
    }

    def __init__(self, before: View, frame: Frame) -> None:
        super().__init__(before, frame)
        self.points = list(before["points"])
        self.hands = [Counter(hand) for hand in before["hands"]]
        self.bowls = {name: list(cards) for name, cards in before["bowls"].items()}
        self.fridge = Counter(before["fridge"])
        self.served = [dict(one) for one in before["served"]]
        self.taken = False

    def put(self, name: str, places: str, *_: str) -> None:
        for card, bowl in re.findall(PUT, places):
            self.hands[seat(name)][notation(card)] -= 1
            self.bowls[bowl].append(notation(card))

    def take(self, name: str, card: str) -> None:
        self.fridge[notation(card)] -= 1
        self.hands[seat(name)][notation(card)] += 1
        self.taken = True

    def serve(self, bowl: str, kinds: str, points: str, names: str) -> None:
        cards, self.bowls[bowl] = self.bowls[bowl], []
        self.same("kinds", int(kinds), len({card[:-1] for card in cards}))
        sides = {self.before["sides"][one] for one in seats(names)}
        self.same("seats of a side", 1, len(sides))
        (side,) = sides
        self.same(
            "all of the side",
            seats(names),
            [at for at, one in enumerate(self.before["sides"]) if one == side],
        )
        for one in seats(names):
            self.points[one] += int(points)
        self.served.append({"side": side, "bowl": bowl, "cards": cards})

    def close(self) -> None:
        after = self.after
        self.same("points", self.points, after["points"])
        self.same("bowls", self.bowls, after["bowls"])
        self.same("served", self.served, after["served"])
        new = Counter(after["fridge"]) - +self.fridge
        self.same("cards gone from the fridge", Counter(), +self.fridge - Counter(after["fridge"]))
        self.same("new in the fridge without a card taken", False, bool(new) and not self.taken)
        for told, hand in zip(self.hands, after["hands"], strict=True):
            self.same("cards gone from a hand", Counter(), +told - Counter(hand))
            self.same("cards spent that were not held", True, min(told.values(), default=0) >= 0)
