"""How often one may ask: a count per minute, by user or by address."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import BaseThrottle

from ladder.web.http import counting
from ladder.web.http.addresses import client_address

if TYPE_CHECKING:  # the settings name this module, and DRF's views read them when imported
    from rest_framework.views import APIView


class Throttle(BaseThrottle):
    """A counter per window: one small entry each, however many requests come."""

    scope = "all"
    share = 1  # of the general rate
    wait_s: float = 0
    standing = ""  # what is left, as a RateLimit header has it
    policy = ""

    def allow_request(self, request: Request, view: APIView) -> bool:
        known = request.user.is_authenticated
        limit, window = _rate("user" if known else "anon")
        limit = max(1, limit // self.share)
        now = time.time()
        who = str(request.user.pk) if known else self.get_ident(request)
        # Windows follow the clock, so what is left of one need not be stored.
        key = f"{counting.key_of(self.scope, f'{known} {who}')}:{int(now // window)}"
        self.wait_s = window - now % window
        used = counting.count(key, window)
        left = max(0, limit - used)
        self.policy = f'"{self.scope}";q={limit};w={window}'
        self.standing = f'"{self.scope}";r={left};t={math.ceil(self.wait_s)}'
        return used <= limit

    def get_ident(self, request: Request) -> str:
        return client_address(request)

    def wait(self) -> float:
        return self.wait_s


def _rate(scope: str) -> tuple[int, int]:
    return counting.rate(str(api_settings.DEFAULT_THROTTLE_RATES[scope]))


class VerifyThrottle(Throttle):
    """Refereeing a replay costs far more than reading a row."""

    scope = "verify"
    share = 4


class BulkThrottle(Throttle):
    """A download of thousands of files keeps a thread of the server for its whole length."""

    scope = "bulk"
    share = 20
