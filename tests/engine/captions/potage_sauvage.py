"""Sentences of Potage Sauvage: recipes, cards and the pot's total, pots taken, and scores."""

from __future__ import annotations

import re
from typing import ClassVar

from tests.engine.captions import SEAT, Frame, Listener, View, seat

RECIPES = {"insects": "I", "vegetables": "V", "fruits": "F", "trash": "T", "water": "W"}
RANKS = {"reset": "R", "herb": "H"}
SCORED = r"Seat \d [+−]\d+ \(now \d+\)"
BOILS, WATER = 10, 5


class PotageSauvage(Listener):
    heard: ClassVar[dict[str, str]] = {
        rf"{SEAT} chooses (\w+)": "choose",
        rf"{SEAT} shows the recipe (\w+)": "show",
        rf"{SEAT} plays (insect|vegetable|fruit|trash) (\w+): the pot is at (\d+)": "play",
        rf"The pot boils over: {SEAT} takes all (\d+) cards": "take",
        r"Nobody takes the (\d+) cards? left in the pot": "left",
        rf"Deal (\d+) is scored: ({SCORED}(?:, {SCORED})?)": "deal_scored",
        rf"({SCORED}(?:, {SCORED})?)": "score",
        rf"Deal (\d+): {SEAT} deals": "deal",
    }

    def __init__(self, before: View, frame: Frame) -> None:
        super().__init__(before, frame)
        self.points, self.pot, self.total = (
            list(before["points"]),
            list(before["pot"]),
            before["total"],
        )
        self.piles = [list(pile) for pile in before["piles"]]
        self.number, self.dealer = before["deal"], before["dealer"]
        self.leader = before["leader"]
        self.is_over = self.is_new = False
        self.scored: list[int] = []

    def choose(self, name: str, recipe: str) -> None:
        self.same("recipe", RECIPES[recipe], self.after["recipes"][seat(name)])

    show = choose

    def play(self, name: str, suit: str, rank: str, total: str) -> None:
        card = suit[0].upper() + RANKS.get(rank, rank)
        self.same("card", card, self.frame["entry"]["action"])
        if rank == "reset":
            self.total = 0
        elif rank != "herb" and not (rank == "10" and not self.pot):
            self.total += int(rank)
        self.pot.append(card)
        self.same("total of the pot", int(total), self.total)

    def take(self, name: str, cards: str) -> None:
        self.same("cards in the pot", int(cards), len(self.pot))
        self.same("boils over", True, self.total >= BOILS)
        self.piles[seat(name)] += self.pot
        self.pot, self.total, self.leader = [], 0, seat(name)

    def left(self, cards: str) -> None:
        self.same("cards left in the pot", int(cards), len(self.pot))

    def deal_scored(self, number: str, scores: str) -> None:
        self.same("deal", int(number), self.number)
        self.is_over = True
        self.score(scores)

    def score(self, scores: str) -> None:
        for name, sign, worth, now in re.findall(r"(Seat \d) ([+−])(\d+) \(now (\d+)\)", scores):
            who = seat(name)
            gained = int(worth) if sign == "+" else -int(worth)
            self.same("score", gained, self.worth(who))
            self.points[who] = max(0, self.points[who] + gained)
            self.same("points", int(now), self.points[who])
            self.scored.append(who)

    def worth(self, who: int) -> int:
        """A pile by the printed table of RULES.md."""
        pile, recipe = self.piles[who], self.before["recipes"][who]
        trash = sum(card[0] == "T" for card in pile)
        if recipe == "W":
            return WATER - len(pile)
        if recipe == "T":
            return trash - sum(card[1:] == "H" for card in pile)
        return sum(card[0] == recipe for card in pile) - trash

    def deal(self, number: str, name: str) -> None:
        self.number, self.dealer = self.number + 1, (self.dealer + 1) % len(self.points)
        self.same("deal", int(number), self.number)
        self.same("dealer", seat(name), self.dealer)
        self.is_new = True

    def close(self) -> None:
        after = self.after
        self.same("a deal over", self.is_over, len(after["served"]) > len(self.before["served"]))
        self.same("points", self.points, after["points"])
        self.same("deal", (self.number, self.dealer), (after["deal"], after["dealer"]))
        if self.is_over:
            self.same("seats scored", [*range(len(self.points))], self.scored)
        if self.is_new:
            return
        if not self.is_over:  # cards left in the pot of the last deal are no longer shown
            self.same("pot", (self.pot, self.total), (after["pot"], after["total"]))
            self.same("leader", self.leader, after["leader"])
            self.same("piles", list(map(sorted, self.piles)), list(map(sorted, after["piles"])))
