"""Last Dumpling: a game read at a glance. A test adds it to a copy of the project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Self

from engine.chance import Chance, RandomChance
from engine.errors import IllegalAction, UnreadableAction
from engine.game import Game, Result, State, View


class Dumplings(State):
    """A plate of dumplings; take one to three; who takes the last one wins."""

    __slots__ = ("plate", "winner")

    def __init__(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> None:
        self.seats, self.chance, self.options = seats, chance, options
        self.events, self.to_act, self.winner = None, 0, None
        self.plate = 8 * seats + chance.roll("plate", 10)[0]

    @property
    def kind(self) -> str:
        return "" if self.to_act is None else "take"

    def legal(self) -> Sequence[int]:
        return [] if self.to_act is None else list(range(1, min(3, self.plate) + 1))

    def apply(self, action: Any) -> None:
        if type(action) is not int or action not in self.legal():
            raise IllegalAction(f"{action!r} is not one of {len(self.legal())} legal actions")
        self.plate -= action
        if self.events is not None:
            self.events.append({"event": "took", "seat": self.to_act, "count": action})
        if self.plate == 0:
            self.winner, self.to_act = self.to_act, None
        else:
            self.to_act = (self.to_act + 1) % self.seats

    def notation(self, action: int) -> str:
        return f"take{action}"

    def phrase(self, action: int) -> str:
        return (
            f"<go|goes> and <take|takes> {'one dumpling' if action == 1 else f'{action} dumplings'}"
        )

    def parse(self, text: str) -> int:
        if len(text) != 5 or not text.startswith("take") or text[4] not in "0123456789":
            raise UnreadableAction(f"'{text[:40]}' is not written like take2")
        return int(text[4])

    def observe(self, seat: int | None) -> View:
        return {
            "game": "toy",
            "seats": self.seats,
            "seat": seat,
            "options": dict(self.options),
            "to_act": self.to_act,
            "kind": self.kind,
            "points": [int(one == self.winner) for one in range(self.seats)],
            "plate": self.plate,
        }

    def result(self) -> Result | None:
        if self.winner is None:
            return None
        places = tuple(1 if seat == self.winner else 2 for seat in range(self.seats))
        return Result(places, tuple(2 - place for place in places), "last dumpling taken")

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.seats, twin.options, twin.events = self.seats, self.options, None
        twin.to_act, twin.plate, twin.winner = self.to_act, self.plate, self.winner
        twin.chance = self.chance.fork()
        return twin

    def audit(self) -> None:
        assert (self.plate == 0) == (self.to_act is None)

    def hidden_twin(self, seat: int, rng: Random) -> Self:
        return self.copy()


class LastDumpling(Game):
    slug = "toy"
    title = "Last Dumpling"
    tagline = "Take up to three, and be the last."
    seats = range(2, 9, 6)  # a duel, and more seats than any other game has
    rules_version = 1
    has_secrets = False

    def new(self, seats: int, chance: Chance, options: Mapping[str, Any]) -> Dumplings:
        return Dumplings(seats, chance, options)

    def deal_from(self, view: View, rng: Random) -> Dumplings:
        state = Dumplings(view["seats"], RandomChance(rng), view["options"])
        state.plate, state.to_act = view["plate"], view["to_act"]
        if state.to_act is None:
            state.winner = view["points"].index(1)
        return state

    def text(self, view: View, names: Sequence[str]) -> str:
        return f"{view['plate']} dumplings on the plate"


GAME = LastDumpling()
Dumplings.game = GAME
