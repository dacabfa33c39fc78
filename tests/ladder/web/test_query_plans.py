"""Lists of matches lean on indexes whatever they are filtered by: nothing reads the whole table."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from ladder.models import Match, User
from tests.ladder.web.conftest import signed_in

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="reads the plans of SQLite"),
]

VALUES = {
    "game": ["hot_ramen"],
    "seats": ["2"],
    "kind": ["ladder", "trial"],
    "status": Match.Status.values,
}
FILTERS = [
    dict(zip(names, values, strict=True))
    for count in range(1, len(VALUES) + 1)
    for names in combinations(VALUES, count)
    for values in product(*(VALUES[name] for name in names))
]
# Nearly all matches are finished: the newest of them are the newest of all.
EVERYTHING = [{}, {"status": "finished"}]


def plans(act: Callable[[], Any]) -> Iterator[str]:
    """How SQLite goes about each query on matches that happens meanwhile."""
    asked: list[tuple[str, Any]] = []

    def listen(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith("SELECT") and '"ladder_match"' in sql:
            asked.append((sql, params))
        return execute(sql, params, many, context)

    with connection.execute_wrapper(listen):
        act()
    for sql, params in asked:
        cursor = sqlite3.Cursor(connection.connection)
        rows = cursor.execute(f"EXPLAIN QUERY PLAN {sql.replace('%s', '?')}", params)
        yield "\n".join(row[3] for row in rows)


FEW = re.compile("USING (COVERING )?INDEX match_(queue|leases|void|cancelled)$", re.MULTILINE)


def reads_all(plan: str) -> bool:
    """Whether it walks through the table or an index of all, or sorts more than a few rows."""
    walks = [line for line in plan.splitlines() if line.startswith("SCAN ladder_match")]
    sorts = "TEMP B-TREE" in plan and not FEW.search(plan)
    return sorts or not all(map(FEW.search, walks))


def assert_no_filter_reads_all(ask: Callable[[dict[str, str]], Any]) -> None:
    for chosen in FILTERS:
        if chosen in EVERYTHING:
            continue
        asked = list(plans(partial(ask, chosen)))
        assert asked
        assert not any(map(reads_all, asked)), (chosen, asked)
        if chosen.get("status", "finished") != "finished":
            assert any(map(FEW.search, asked)), (chosen, asked)


@pytest.mark.parametrize("more", [{}, {"cursor": "after.9"}, {"cursor": "before.9"}], ids=str)
def test_no_filter_of_the_match_list_reads_the_whole_table(
    client: Client, more: dict[str, str]
) -> None:
    assert_no_filter_reads_all(lambda chosen: client.get("/matches/", chosen | more))


@pytest.mark.parametrize(("cursor", "beyond"), [("after.9", "<"), ("before.9", ">")])
def test_a_page_of_the_match_list_begins_beyond_its_cursor(
    client: Client, cursor: str, beyond: str
) -> None:
    asked = list(plans(lambda: client.get("/matches/", {"cursor": cursor})))

    assert any(f"rowid{beyond}?" in plan for plan in asked), asked


@pytest.mark.parametrize("ordering", ["id", "-id"])
def test_no_filter_of_the_api_reads_the_whole_table(client: Client, ordering: str) -> None:
    more = {"ordering": ordering}
    assert_no_filter_reads_all(lambda chosen: client.get("/api/v1/matches/", chosen | more))


@pytest.mark.parametrize("path", ["/games/hot_ramen/", "/boards/hot_ramen/2/", "/metrics"])
def test_pages_that_show_or_count_matches_do_not_read_the_whole_table(
    client: Client, path: str
) -> None:
    asked = list(plans(lambda: client.get(path)))

    assert not any(map(reads_all, asked)), asked


def test_the_page_for_operators_does_not_read_the_whole_table(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_staff=True, is_superuser=True)
    operator = signed_in(alice)

    asked = list(plans(lambda: operator.get("/admin/kitchen/")))

    assert asked
    assert not any(map(reads_all, asked)), asked
