"""How often one may ask: a count per minute, by user or by address."""

from __future__ import annotations

import hashlib
import threading
import time
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from ladder.addresses import client_address

if TYPE_CHECKING:  # the settings name this module, and DRF's views read them when imported
    from rest_framework.views import APIView

MOST_KEPT = 10_000
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


class Throttle(BaseThrottle):
    """A counter per window: one small cache entry each, however many requests come."""

    scope = "all"
    share = 1  # of the general rate
    wait_s: float = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        known = request.user.is_authenticated
        limit, window = _rate("user" if known else "anon")
        limit = max(1, limit // self.share)
        now = time.time()
        who = str(request.user.pk) if known else self.get_ident(request)
        name = hashlib.sha256(f"{self.scope} {known} {who}".encode()).hexdigest()[:24]
        key = f"throttle:{name}:{int(now // window)}"
        self.wait_s = window - now % window
        counted = _shared_count if settings.REDIS_URL else _own_counts.add
        return counted(key, window) <= limit

    def get_ident(self, request: Request) -> str:
        return client_address(request)

    def wait(self) -> float:
        return self.wait_s


class _OwnCounts:
    """Counts in this process: without Redis there is one web process, and files would be slow."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, tuple[int, float]] = {}  # and when they lapse

    def add(self, key: str, window: int) -> int:
        now = time.time()
        with self._lock:
            if len(self._counts) > MOST_KEPT:
                self._counts = {k: v for k, v in self._counts.items() if v[1] > now}
            count, lapses = self._counts.get(key, (0, now + window))
            self._counts[key] = count + 1, lapses
        return count + 1

    def clear(self) -> None:
        self._counts = {}


_own_counts = _OwnCounts()


def _shared_count(key: str, window: int) -> int:
    cache.add(key, 0, window)
    try:
        return int(cache.incr(key))
    except ValueError:  # it lapsed in between
        return 1


def _rate(scope: str) -> tuple[int, int]:
    """How many requests in how many seconds, from settings such as `120/min`."""
    count, _, period = api_settings.DEFAULT_THROTTLE_RATES[scope].partition("/")
    return int(count), SECONDS[period[0]]


class VerifyThrottle(Throttle):
    """Refereeing a replay costs far more than reading a row."""

    scope = "verify"
    share = 4
