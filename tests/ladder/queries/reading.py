"""How much a database reads to answer, whatever its plan says it will."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def asked() -> Iterator[list[tuple[str, Any]]]:
    """The SELECTs that are sent meanwhile."""
    sent: list[tuple[str, Any]] = []

    def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.lstrip("(").startswith("SELECT"):
            sent.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(listen):
        yield sent


def rows_read(ask: Callable[[], Any]) -> int:
    """What `ask` makes the database read: rows in PostgreSQL, steps of SQLite's machine.

    A row that SQLite reads costs a handful of steps, one that it sorts some more.
    """
    if connection.vendor == "sqlite":
        return _steps(ask)
    with asked() as sent:
        ask()
    return sum(_rows(sql, params) for sql, params in sent)


def _steps(ask: Callable[[], Any]) -> int:
    connection.ensure_connection()
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection.connection.set_progress_handler(count, 1)
    try:
        ask()
    finally:
        connection.connection.set_progress_handler(None, 1)
    return steps


def _rows(sql: str, params: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) {sql}", params)
        (told,) = cursor.fetchone()
    (plan,) = told if isinstance(told, list) else json.loads(told)
    return _rows_of(plan["Plan"])


def _rows_of(node: dict[str, Any]) -> int:
    """The rows that the plan's scans touched, also those that a filter dropped."""
    parts = node.get("Plans", [])
    read = 0
    if "Scan" in node["Node Type"]:
        dropped = ("Rows Removed by Filter", "Rows Removed by Index Recheck")
        each = node["Actual Rows"] + sum(node.get(name, 0) for name in dropped)
        read = round(each * node["Actual Loops"])
    return read + sum(map(_rows_of, parts))
