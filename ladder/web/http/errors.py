"""What is said when something cannot be done: plain words and a way on."""

from __future__ import annotations

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return too_large(request)
    return render(request, "400.html", status=400)


def too_large(request: HttpRequest) -> HttpResponse:
    return render(request, "413.html", status=413)
