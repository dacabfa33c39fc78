"""Forms that may be sent only so often from one address."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from ladder.web.http import counting
from ladder.web.http.addresses import client_address

View = Callable[..., HttpResponseBase]


def limited(form: str) -> Callable[[View], View]:
    """For a view whose form costs us something; `RATE_...` in the settings says how often."""

    def decorate(view: View) -> View:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if request.method == "POST":
                limit, window_s = counting.rate(getattr(settings, f"RATE_{form.upper()}"))
                key = counting.key_of(form, client_address(request))
                if counting.count(key, window_s) > limit:
                    return too_many_requests(request, window_s)
            return view(request, *args, **kwargs)

        return counted

    return decorate


def too_many_requests(request: HttpRequest, seconds: int) -> HttpResponse:
    wait = f"{seconds} seconds" if seconds < 120 else f"{seconds // 60} minutes"
    response = render(request, "429.html", {"wait": wait}, status=429)
    response["Retry-After"] = str(seconds)
    return response
