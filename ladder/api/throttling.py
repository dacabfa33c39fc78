"""How often one may ask: a count per minute, by user or by address."""

from __future__ import annotations

import hashlib
import time

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

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
        if cache.add(key, 1, window):
            return True
        try:
            return cache.incr(key) <= limit
        except ValueError:  # it lapsed in between
            return True

    def wait(self) -> float:
        return self.wait_s


def _rate(scope: str) -> tuple[int, int]:
    """How many requests in how many seconds, from settings such as `120/min`."""
    count, _, period = api_settings.DEFAULT_THROTTLE_RATES[scope].partition("/")
    return int(count), SECONDS[period[0]]


class VerifyThrottle(Throttle):
    """Refereeing a replay costs far more than reading a row."""

    scope = "verify"
    share = 4
