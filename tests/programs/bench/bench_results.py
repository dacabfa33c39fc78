"""What a long history costs: recording a result, the match list, the board of many bots.

Two sites on SQLite differ only in their past: 1,000 stored matches or 200,000, both with 10,000
bots on one board. Everything runs in this process, in turn on one and on the other; pages
come through Django's test client with the site's own settings, middleware and templates.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter_ns, thread_time_ns
from typing import Any

from tests.programs.bench.rows import Progress, Row

BOTS = 10_000
FEW, MANY = 1_000, 200_000
RESULTS = 80
PAGES = 80

NOTE = (
    f"History: SQLite, {BOTS:,} bots on one board, {FEW:,} matches or {MANY:,} stored, measured in"
    " turn. A result is `matches.finish` (two plays, replay files, entries) and `fitting.rate` of"
    " its tick, by the clock; pages are CPU time through Django's test client. The board's rows"
    " are kept for five seconds, as on the site; *rendered anew* empties the cache before each."
)


def run(progress: Progress) -> list[Row]:
    with tempfile.TemporaryDirectory(prefix="ladle-bench-") as var:
        Path(var, "media").mkdir()
        os.environ.update(
            LADLE_VAR=var,
            LADLE_HTTPS="0",
            LADLE_LOG_LEVEL="ERROR",
            SECRET_KEY="only for measuring " * 3,
            ALLOWED_HOSTS="testserver",
            DJANGO_SETTINGS_MODULE="ladder.settings",
        )
        import django

        django.setup()
        from django.core.management import call_command

        progress("static files and tables")
        call_command("collectstatic", verbosity=0, interactive=False)
        call_command("migrate", verbosity=0)
        return measure(Path(var), progress)


def measure(var: Path, progress: Progress) -> list[Row]:
    from django.test import override_settings

    from tests.programs.bench import stock

    few = stock.Database(var / "ladle.sqlite3")
    progress(f"{BOTS:,} bots and {FEW:,} matches")
    with few.in_use():
        stock.make_matches(stock.make_bots(BOTS), FEW)
    many = few.twin(var / "many.sqlite3")
    progress(f"{MANY:,} matches")
    with many.in_use():
        stock.multiply_matches(MANY // FEW)
    with override_settings(ROOT_URLCONF="tests.programs.bench.urls"):
        rows = [*result_rows(few, many, progress), *page_rows(few, many, progress)]
    few.close()
    many.close()
    return rows


def result_rows(few: Any, many: Any, progress: Progress) -> list[Row]:
    from tests.programs.bench import results

    took: dict[Any, list[float]] = {few: [], many: []}
    record = results.played()
    for number in range(RESULTS):
        progress(f"recording results, {number + 1} of {RESULTS}")
        for database, times in took.items():
            with database.in_use():
                match, tick = results.claimed()
                began = perf_counter_ns()
                results.store(match, tick, record)
                times.append((perf_counter_ns() - began) / 1e6)
    short, long = median(took[few]), median(took[many])
    return [Row(f"recording a result, {MANY:,} matches stored v {FEW:,}", "ms", long, short, 1.3)]


def page_rows(few: Any, many: Any, progress: Progress) -> list[Row]:
    from django.core.cache import cache
    from django.test import Client

    from tests.programs.bench.stock import BOARD

    client = Client()
    board_page = f"/boards/{BOARD.game}/{BOARD.seats}/"

    def cost(database: Any, path: str, before: Callable[[], None] | None = None) -> float:
        with database.in_use():
            if before:
                before()
            began = thread_time_ns()
            response = client.get(path)
            spent = thread_time_ns() - began
        assert response.status_code == 200, f"{path}: {response.status_code}"
        return spent / 1e6

    asked = {
        "list, few": (few, "/matches/"),
        "list, many": (many, "/matches/"),
        "empty": (many, "/empty/"),
        "board": (many, board_page),
        "board anew": (many, board_page, cache.clear),
    }
    took: dict[str, list[float]] = {name: [] for name in asked}
    for number in range(PAGES):
        progress(f"pages, {number + 1} of {PAGES}")
        for name, what in asked.items():
            took[name].append(cost(*what))
    ms = {name: median(times) for name, times in took.items()}
    name = f"the board of {BOTS:,} bots"
    return [
        Row(f"/matches/, {MANY:,} stored v {FEW:,}", "ms", ms["list, many"], ms["list, few"], 1.3),
        Row(f"{name} v an empty view", "ms", ms["board"], ms["empty"], 5.0),
        Row(f"{name}, rendered anew, v an empty view", "ms", ms["board anew"], ms["empty"]),
    ]
