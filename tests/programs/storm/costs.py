# ruff: noqa: T201
"""What claims, ticks and fits cost; run by `make load` inside a site's own settings."""

from __future__ import annotations

import os
import time
from random import Random
from statistics import median

from django.db import connections

from ladder.models import Match, Tick
from ladder.services import scheduling
from ladder.services.rating import fitting
from tests.programs.bench.stock import BOARD

CLAIM_SECONDS = 5
TICK_MS = 21.7  # a tenth of what it was at 10,000 bots
REFIT_S = 0.88  # likewise


def claims() -> int:
    """Claims a second with one claimer and with many; many must not be slower."""
    alone, many = _claims_a_second(1), _claims_a_second(16)
    is_well = many >= alone
    print(
        f"claims a second on PostgreSQL: {alone:.0f} with 1 claimer, {many:.0f} with 16;"
        f" more must not be slower: {'held' if is_well else 'MISSED'}"
    )
    return 0 if is_well else 1


def _claims_a_second(claimers: int) -> float:
    now = Match.objects.order_by("pk").first()
    assert now is not None
    Match.objects.bulk_create(
        Match(kind="challenge", game=now.game, seats=now.seats, seed=n, priority=1)
        for n in range(20_000)
    )
    with connections["default"].cursor() as cursor:  # no rows of an earlier measurement in the way
        cursor.execute("VACUUM ANALYZE ladder_match")
    connections.close_all()
    children = [_fork_claimer() for _ in range(claimers)]
    counts = []
    for pid, pipe in children:
        with os.fdopen(pipe) as file:
            counts.append(int(file.read()))
        os.waitpid(pid, 0)
    Match.all_objects.filter(kind="challenge").delete()
    return sum(counts) / CLAIM_SECONDS


def _fork_claimer() -> tuple[int, int]:
    reader, writer = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writer)
        return pid, reader
    count = 0
    Match.all_objects.claim_next(f"claimer-{os.getpid()}")  # connects
    until = time.monotonic() + CLAIM_SECONDS
    while time.monotonic() < until:
        count += Match.all_objects.claim_next(f"claimer-{os.getpid()}") is not None
    os.write(writer, str(count).encode())
    os._exit(0)


def ticks() -> int:
    """CPU of drawing a tick and of rating it, on a board of 10,000 bots."""
    drawn, fitted = [], []
    for seed in range(5):
        began = time.process_time()
        tick = scheduling.create_tick(BOARD, Random(seed))
        drawn.append((time.process_time() - began) * 1000)
        assert tick is not None
        _finish(tick)
        began = time.process_time()
        fitting.rate(BOARD, [tick])
        fitted.append(time.process_time() - began)
    tick_ms, refit_s = median(drawn), median(fitted[1:])
    print(
        f"at 10,000 bots, CPU: a tick {tick_ms:.1f} ms, goal {TICK_MS} ms; a refit {refit_s:.2f} s,"
        f" goal {REFIT_S} s; the first one, which reads all results, {fitted[0]:.2f} s"
    )
    return (tick_ms > TICK_MS) + (refit_s > REFIT_S)


def _finish(tick: Tick) -> None:
    """As if its matches had been played: the first slot wins."""
    for match in tick.matches.all():
        match.entries.filter(slot=0).update(place=1, points=20, score=1)
        match.entries.filter(slot=1).update(place=2, points=19, score=0)
        match.plays.bulk_create(
            match.plays.model(
                match=match, index=index, seating=[0, 1], places=[1, 2], points=[20, 19],
                reason="x", decisions=60, digest="0" * 64, replay="none",
            )
            for index in range(2)
        )  # fmt: skip
    tick.matches.update(status="finished", seed=1, finished_at=tick.created_at)
