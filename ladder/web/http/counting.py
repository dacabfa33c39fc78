"""How often something was done in a window of time; requests at once are all counted."""

from __future__ import annotations

import hashlib

from django.core.cache import caches

counts = caches["default"]
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
    counts.add(key, 0, window_s)
    try:
        return int(counts.incr(key))
    except ValueError:  # it lapsed in between
        counts.set(key, 1, window_s)
        return 1


def forget(key: str) -> None:
    counts.delete(key)
