"""Run by __main__.py with the settings of a site of its own: what lists read, small and large."""

# ruff: noqa: T201
from __future__ import annotations

import sys
from functools import partial

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from tests.factories import DUEL, make_bot  # noqa: E402
from tests.ladder.queries import lists  # noqa: E402
from tests.ladder.queries.reading import rows_read  # noqa: E402
from tests.ladder.queries.test_past_ladders import lengthen_history  # noqa: E402

LADDER = f"/api/v1/boards/{DUEL.game}/{DUEL.seats}/ladder/"
BOTS = 10  # whose history grows


def past_ladder(small: int, large: int) -> bool:
    """What a past ladder reads with so many changes of ratings in all."""
    for _ in range(BOTS):
        make_bot()
    lengthen_history(small // BOTS)
    client = Client()
    tick = small // BOTS // 2
    before = rows_read(partial(client.get, f"{LADDER}?tick={tick}"))
    for _ in range(small, large, small):
        lengthen_history(small // BOTS)
    after = rows_read(partial(client.get, f"{LADDER}?tick={tick}"))
    print(f"past ladder: {before} read at {small:,} changes, {after} at {large:,}", flush=True)
    return after <= 1.5 * before + 20


def all_lists(small: int, large: int) -> bool:
    """What the first two pages of each list read, by each filter and ordering."""
    asked, growing = lists.measured(small, large // small, most_filters=1)
    worst = max(asked.values(), key=lambda one: one[1] / max(1, one[0]))
    print(
        f"lists: {len(asked)} tried, {len(growing)} grow;"
        f" at most from {worst[0]} to {worst[1]} read",
        flush=True,
    )
    for name, (before, after) in growing.items():
        print(f"  {name}: {before} at {small:,} rows, {after} at {large:,}")
    return not growing


def main(small: int, large: int) -> int:
    call_command("migrate", verbosity=0)
    is_flat = [all_lists(small, large), past_ladder(small, large)]
    return 0 if all(is_flat) else 1


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
