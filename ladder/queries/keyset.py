"""Pages of a list that seek: the last page costs what the first does, however long the list.

A page begins beyond a row. The row is named by its cursor, the same text on the site and in the
API: `after.1500000.7` is what follows the row with those keys, `before....` what precedes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, TypeVar

from django.db.models import Q, QuerySet

T = TypeVar("T")
V = TypeVar("V")

TEXT = re.compile(r"(after|before)\.(?:(.{1,200})\.)?([0-9]{1,16})", re.DOTALL)


INTEGER = re.compile("-?[0-9]{1,10}")


class BadCursor(ValueError):
    """A text that is no cursor of this list."""


@dataclass(frozen=True, slots=True)
class Cursor:
    """The row a page begins beyond: its key in the order asked for, if any, and its id."""

    key: Any
    id: int
    is_back: bool = False

    def __str__(self) -> str:
        key = "" if self.key is None else f"{self.key}."
        return f"{'before' if self.is_back else 'after'}.{key}{self.id}"


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """The rows in the order of the list, and where its neighbours begin."""

    rows: list[T]
    next: Cursor | None = None
    previous: Cursor | None = None

    def of(self, made: Callable[[T], V]) -> Page[V]:
        """The same page with something made of each row."""
        return Page([made(row) for row in self.rows], self.next, self.previous)


@dataclass(frozen=True, slots=True)
class Order:
    """How a list is sorted: by a key, then by an id; a dash means downwards."""

    key: str  # empty: by the id alone
    id: str = "-id"
    kind: type[int] | type[str] = str  # of the key

    @property
    def names(self) -> tuple[str, ...]:
        return (self.key, self.id) if self.key else (self.id,)

    def parse(self, text: str) -> Cursor:
        """The cursor that anybody may have written; BadCursor when it is none of this list."""
        found = TEXT.fullmatch(text)
        if found is None or (found[2] is None) != (not self.key) or "\0" in text:
            raise BadCursor(text)
        key: int | str | None = found[2]
        if key is not None and self.kind is int:
            if not INTEGER.fullmatch(found[2]):
                raise BadCursor(text)
            key = int(found[2])
        return Cursor(key, int(found[3]), found[1] == "before")

    def keys_of(self, row: Any) -> tuple[Any, int]:
        """The values of a stored row in this order."""
        key = getattr(row, _bare(self.key)) if self.key else None
        return _text(key), getattr(row, _bare(self.id))

    def apply(self, rows: QuerySet[Any], at: Cursor | None) -> QuerySet[Any]:
        """The rows beyond the cursor, nearest first."""
        is_back = at is not None and at.is_back
        if at is not None:
            rows = rows.filter(self._beyond(at))
        return rows.order_by(*(_turned(name) if is_back else name for name in self.names))

    def page(
        self,
        rows: QuerySet[Any],
        at: Cursor | None,
        size: int,
        *,
        keys: Callable[[T], tuple[Any, int]],
        read: Callable[[QuerySet[Any]], list[T]] = list,
    ) -> Page[T]:
        """A number of rows beyond the cursor; `keys` are a row's values in this order."""
        return cut(read(self.apply(rows, at)[: size + 1]), at, size, keys=keys)

    def _beyond(self, at: Cursor) -> Q:
        if not self.key:
            return Q(**{f"{_bare(self.id)}__{_comes_after(self.id, at.is_back)}": at.id})
        key, last = _bare(self.key), _bare(self.id)
        # The bound on the key alone is redundant, and lets an index be entered at the right place.
        bound = Q(**{f"{key}__{_comes_after(self.key, at.is_back)}e": at.key})
        passed = {key: at.key, f"{last}__{_comes_after(self.id, not at.is_back)}e": at.id}
        return bound & ~Q(**passed)


def cut(
    found: Sequence[T], at: Cursor | None, size: int, *, keys: Callable[[T], tuple[Any, int]]
) -> Page[T]:
    """A page from one row more than it shows, nearest to the cursor first."""
    more, rows = len(found) > size, list(found[:size])
    if not rows:
        return Page(rows)
    is_back = at is not None and at.is_back
    if is_back:
        rows.reverse()
    after, before = Cursor(*keys(rows[-1])), Cursor(*keys(rows[0]), is_back=True)
    if is_back:
        return Page(rows, after, before if more else None)
    return Page(rows, after if more else None, before if at else None)


def _text(key: Any) -> Any:
    return key.isoformat() if isinstance(key, datetime) else key


def _bare(name: str) -> str:
    return name.lstrip("-")


def _turned(name: str) -> str:
    return name[1:] if name.startswith("-") else f"-{name}"


def _comes_after(name: str, is_back: bool) -> str:
    return "lt" if name.startswith("-") != is_back else "gt"
