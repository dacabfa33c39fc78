"""A play of people over the network, as the server shows it to each seat.

It is built from what a keeper stores: the seed and the answers given. A seat gets the frames of
its own view and the question put to it, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.match import Answer, Fault
from engine.outcome import FaultKind
from ladder.theatre.film import head
from ladder.theatre.guest import Guest
from ladder.theatre.live import LivePlay

HINTED_BY = "greedy"  # quick enough to be asked in a request


class SharedPlay(LivePlay):
    """A play as far as its answers go; more of them can be fed."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        super().__init__({**setup, "given": ()})
        self._fed = 0
        self._shown = {
            viewer: [one for one in [next(coming)] if one] for viewer, coming in self._films.items()
        }

    @property
    def fed(self) -> int:
        """How many answers it has."""
        return self._fed

    def feed(self, given: Sequence[Sequence[Any]]) -> None:
        """Go on with all the answers given so far, as a keeper stores them."""
        for entry in given[self._fed :]:
            self._send(_stored(entry))
        self._fed = max(self._fed, len(given))
        for viewer, frames in self._news({viewer: [] for viewer in self._films})["frames"]:
            self._shown[viewer] += frames

    def seen_by(self, seat: int, after: int) -> dict[str, Any]:
        """What a seat may see: its frames from number `after` on, and the question put to it."""
        whole = head(self._game, self._whole(), seat)
        frames = self._shown[seat]
        return whole | {
            "frames": [(seat, frames[after:])],
            "count": len(frames),
            "steps": frames[-1]["step"],
            "asked": self._asked_of(seat),
        }

    def hint_for(self, seat: int) -> dict[str, Any]:
        """A suggestion for the seat that is asked; `refused` for all others."""
        if self._asked is None or self._asked.seat != seat:
            return {"refused": "It is not your turn."}
        return self.hint_of(HINTED_BY)

    def _audience(self, people: Sequence[int]) -> list[tuple[int | None, int | None]]:
        """Everybody has a screen of their own."""
        return [(seat, seat) for seat in people]

    def _seat_bot(self, seat: int, one: Mapping[str, Any]) -> str:
        """The keeper lets it play; here are its answers."""
        self._bots[seat] = Guest()
        digest: str = one["sha256"]
        return digest

    def _question(self) -> None:
        return None

    def _asked_of(self, seat: int) -> dict[str, Any] | None:
        asked = self._asked
        if asked is None:
            return None
        if asked.seat == seat:
            return super()._question()
        # Who is asked can depend on secret cards.
        is_private = asked.kind in self._game.private_kinds
        return {"seat": None if is_private else asked.seat}


def _stored(entry: Sequence[Any]) -> Answer | Fault:
    """[seat, action, microseconds] or [seat, null, kind, sentence, detail]."""
    if entry[1] is None:
        return Fault(FaultKind(entry[2]), entry[3], entry[4])
    return Answer(entry[1], entry[2])
