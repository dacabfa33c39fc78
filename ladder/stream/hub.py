"""Who listens, and what was said lately. Everything here runs in the event loop's thread."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from ladder.contract.events import Event, Kind

RECENT_BYTES = 2 * 2**20  # stored for readers that come back; bounded by size, since events differ
MOST_WAITING = 256  # events for one reader; more means that it does not read


@dataclass(frozen=True, slots=True)
class Filter:
    """Which events a reader wants; an empty set means all."""

    kinds: frozenset[str] = frozenset()
    bots: frozenset[int] = frozenset()
    boards: frozenset[str] = frozenset()
    tournaments: frozenset[int] = frozenset()

    def wants(self, event: Event) -> bool:
        return (
            (not self.kinds or event.kind in self.kinds)
            and (not self.bots or not self.bots.isdisjoint(bot.id for bot in event.bots))
            and (not self.boards or f"{event.game}/{event.seats}" in self.boards)
            and (not self.tournaments or event.tournament in self.tournaments)
        )


@dataclass(frozen=True, slots=True)
class Sent:
    """An event, encoded once for all who read it."""

    event: Event
    sse: bytes
    line: bytes

    @classmethod
    def of(cls, event: Event) -> Sent:
        data = msgspec.json.encode(event)
        return cls(event, b"id: %d\ndata: %b\n\n" % (event.id, data), data + b"\n")

    @property
    def size(self) -> int:
        return len(self.sse) + len(self.line)


@dataclass(eq=False, slots=True)
class Listener:
    """One open connection."""

    filter: Filter
    waiting: deque[Sent] = field(default_factory=deque)
    has_news: asyncio.Event = field(default_factory=asyncio.Event)
    is_dropped: bool = False  # it did not read, or the process ends

    def put(self, sent: Sent) -> None:
        if len(self.waiting) >= MOST_WAITING:
            self.drop()
        else:
            self.waiting.append(sent)
            self.has_news.set()

    def drop(self) -> None:
        self.is_dropped = True
        self.has_news.set()

    def take(self) -> list[Sent]:
        self.has_news.clear()
        taken = list(self.waiting)
        self.waiting.clear()
        return taken


class Hub:
    """All listeners, and the newest events."""

    def __init__(self) -> None:
        self.listeners: set[Listener] = set()
        self.last = 0  # id up to which events have been read
        self._recent: deque[Sent] = deque()
        self._recent_bytes = 0
        self._floor = 0  # events after this id are all in `_recent`

    def begin(self, last: int) -> None:
        """Nothing was read yet; what comes after this id will be."""
        self.last = self._floor = last

    def publish(self, events: Iterable[Sent], last: int) -> None:
        """Send events to whoever wants them; all up to `last` have been read."""
        for sent in events:
            self._remember(sent)
            for listener in self.listeners:
                if not listener.is_dropped and listener.filter.wants(sent.event):
                    listener.put(sent)
        self.last = max(self.last, last)

    def _remember(self, sent: Sent) -> None:
        self._recent.append(sent)
        self._recent_bytes += sent.size
        while self._recent_bytes > RECENT_BYTES:
            oldest = self._recent.popleft()
            self._recent_bytes -= oldest.size
            self._floor = oldest.event.id

    def since(self, last: int) -> Iterator[Sent] | None:
        """The recent events after an id; None when some of them are no longer here."""
        if last < self._floor:
            return None
        return iter([sent for sent in self._recent if sent.event.id > last])


KINDS = frozenset(kind.value for kind in Kind)
