"""Values read from rows: each field from the column of its name, unless said otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import Any, Generic, TypeVar

import msgspec
from django.db.models import QuerySet

from ladder.contract import Value
from ladder.queries.keyset import Cursor, Order, Page

V = TypeVar("V", bound=Value)


class Reading(Generic[V]):
    """How values of a kind are read.

    A field is read from the column of its name, or from what is said for it: another column, a
    function with the columns that it takes, or another reading with the path to its row. Fields
    with a default are left at it unless something is said for them.
    """

    def __init__(self, kind: type[V], **said: Any) -> None:
        self.kind = kind
        self._fields: list[tuple[str, Callable[..., Any] | None, int]] = []
        self.columns: list[Any] = []
        for field in msgspec.structs.fields(kind):
            if field.name not in said and not field.required:
                continue
            make, columns = _source(said.get(field.name, field.name))
            self._fields.append((field.name, make, len(columns)))
            self.columns += columns

    def __call__(self, rows: QuerySet[Any]) -> list[V]:
        return [self.made(row) for row in rows.values_list(*self.columns)]

    def by(self, key: str, rows: QuerySet[Any]) -> dict[Any, V]:
        """The same by a column; of several with equal keys the last."""
        found = rows.values_list(key, *self.columns)
        return {row[0]: self.made(row[1:]) for row in found}

    def first(self, rows: QuerySet[Any]) -> V | None:
        return next(iter(self(rows[:1])), None)

    def page(self, rows: QuerySet[Any], order: Order, at: Cursor | None, size: int) -> Page[V]:
        """A number of rows beyond the cursor."""
        names = [name.lstrip("-") for name in order.names]

        def read(some: QuerySet[Any]) -> list[tuple[Any, ...]]:
            return list(some.values_list(*names, *self.columns))

        def keys(row: tuple[Any, ...]) -> tuple[Any, int]:
            return (row[0] if order.key else None), row[len(names) - 1]

        found = order.page(rows, at, size, keys=keys, read=read)
        return found.of(lambda row: self.made(row[len(names) :]))

    def made(self, row: tuple[Any, ...]) -> V:
        values = iter(row)
        return self.kind(**{name: _taken(values, make, n) for name, make, n in self._fields})


def thousandths(milli: int | None) -> float | None:
    return None if milli is None else milli / 1000


def midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _taken(values: Iterator[Any], make: Callable[..., Any] | None, count: int) -> Any:
    if make is None:
        return next(values)
    return make(*(next(values) for _ in range(count)))


def _source(said: Any) -> tuple[Callable[..., Any] | None, list[Any]]:
    if not isinstance(said, tuple):
        return None, [said]
    how, *columns = said
    if not isinstance(how, Reading):
        return how, columns
    (path,) = columns
    inner = how
    return (lambda *row: inner.made(row)), [f"{path}__{column}" for column in inner.columns]
