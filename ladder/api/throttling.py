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

    scope = ""  # empty: "user" or "anon"
    default_rate = "120/min"
    wait_s: float = 0

    def allow_request(self, request: Request, view: APIView) -> bool:
        known = request.user.is_authenticated
        scope = self.scope or ("user" if known else "anon")
        limit, window = self._rate(scope)
        now = time.time()
        who = str(request.user.pk) if known else self.get_ident(request)
        name = hashlib.sha256(f"{scope} {known} {who}".encode()).hexdigest()[:24]
        key = f"throttle:{name}:{int(now // window)}"
        self.wait_s = window - now % window
        if cache.add(key, 1, window):
            return limit >= 1
        try:
            return cache.incr(key) <= limit
        except ValueError:  # it lapsed in between
            return True

    def wait(self) -> float:
        return self.wait_s

    def _rate(self, scope: str) -> tuple[int, int]:
        text = api_settings.DEFAULT_THROTTLE_RATES.get(scope) or self.default_rate
        count, _, period = text.partition("/")
        return int(count), SECONDS[period[0]]


class VerifyThrottle(Throttle):
    """Refereeing a replay costs far more than reading a row."""

    scope = "verify"
    default_rate = "30/min"
