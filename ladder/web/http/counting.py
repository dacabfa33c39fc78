"""How often something was done in a window of time; requests at once are all counted."""

from __future__ import annotations

import hashlib
import threading
import time

from django.conf import settings
from django.core.cache import cache

MOST_KEPT = 10_000
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}


def rate(text: str) -> tuple[int, int]:
    """How many in how many seconds, from a setting such as `120/min`."""
    count, _, period = text.partition("/")
    return int(count), SECONDS[period[0]]


def key_of(what: str, who: str) -> str:
    """A key for a count; whoever reads the cache does not read names or addresses."""
    return f"count:{what}:{hashlib.sha256(who.encode()).hexdigest()[:24]}"


def count(key: str, window_s: int) -> int:
    """Count once more: how many there were since the window began, with the first of them."""
    return _shared_count(key, window_s) if settings.REDIS_URL else own_counts.add(key, window_s)


def forget(key: str) -> None:
    if settings.REDIS_URL:
        cache.delete(key)
    else:
        own_counts.forget(key)


class OwnCounts:
    """Counts in this process: without Redis there is one web process, and files would be slow."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: dict[str, tuple[int, float]] = {}  # and when they lapse

    def add(self, key: str, window_s: int) -> int:
        now = time.time()
        with self._lock:
            if len(self._counts) > MOST_KEPT:
                self._counts = {k: v for k, v in self._counts.items() if v[1] > now}
            number, lapses = self._counts.get(key, (0, 0.0))
            if lapses <= now:
                number, lapses = 0, now + window_s
            self._counts[key] = number + 1, lapses
        return number + 1

    def forget(self, key: str) -> None:
        with self._lock:
            self._counts.pop(key, None)

    def clear(self) -> None:
        with self._lock:
            self._counts = {}


own_counts = OwnCounts()


def _shared_count(key: str, window_s: int) -> int:
    cache.add(key, 0, window_s)
    try:
        return int(cache.incr(key))
    except ValueError:  # it lapsed in between
        return 1
