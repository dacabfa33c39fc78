"""What happens around every request."""

import re
import time
import uuid
from collections.abc import Callable

import structlog
from django.conf import settings
from django.contrib.auth import logout
from django.core.exceptions import DisallowedHost
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    StreamingHttpResponse,
)
from django.shortcuts import render

from ladder.errors import LadderError
from ladder.services import audit, bots
from ladder.web.http import errors, problems
from ladder.web.http.statuses import status_of
from ladder.web.http.streaming import stream_origin

log = structlog.get_logger(__name__)

# Where a bot's file may come, which can be a bundle.
UPLOADS = re.compile(r"/upload/|/bots/[0-9]+/upload/|/api/v1/bots/[0-9]+/versions/")
REQUEST_ID = re.compile(r"[0-9A-Za-z-]{8,64}")
Handler = Callable[[HttpRequest], HttpResponse]

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ]
)
# Of a page that holds bots which nobody trusts, each in a frame with a policy of its own.
# Of the pages that other sites may show in a frame.
FRAMED_POLICY = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *").replace(
    "form-action 'self'", "form-action 'none'"
)
# Addresses that answer everyone alike.
COOKIELESS = ("/embed/", "/cards/", "/oembed")
FRAMING_POLICY = f"{POLICY}; frame-src 'self'"


class RequestLog:
    """One line per request; its id stands in every line written meanwhile, and in the answer."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get("X-Request-ID", "") if settings.TRUSTED_PROXIES else ""
        number = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        began = time.perf_counter()
        with structlog.contextvars.bound_contextvars(request=number):
            response = self.get_response(request)
            log.info(
                "request",
                method=request.method,
                path=request.path,
                status=response.status_code,
                ms=round((time.perf_counter() - began) * 1000, 1),
            )
        response.headers["X-Request-ID"] = number
        return response


class NoCookies:
    """What other sites show of ours neither reads nor sets a cookie."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path_info.startswith(COOKIELESS):
            return self.get_response(request)
        request.META.pop("HTTP_COOKIE", None)
        response = self.get_response(request)
        response.cookies.clear()
        return response


class NoBodyForHead:
    """The answer to HEAD has the headers of GET and no body.

    Django leaves that to the server, and ours does not do it: a client would read the body as the
    next answer of the same connection.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.method == "HEAD":
            if isinstance(response, StreamingHttpResponse):
                response.streaming_content = []  # closing the answer closes what it was to stream
            else:
                response.headers.setdefault("Content-Length", str(len(response.content)))
                response.content = b""
        return response


class ContentSecurityPolicy:
    """Nothing from outside, nothing inline; a view may set a policy of its own."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        if origin := _origin_of_stream(request):
            policy = response.headers["Content-Security-Policy"]
            allowed = policy.replace("connect-src 'self';", f"connect-src 'self' {origin};")
            response.headers["Content-Security-Policy"] = allowed
        return response


def _origin_of_stream(request: HttpRequest) -> str:
    try:
        return stream_origin(request)
    except DisallowedHost:
        return ""


METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]


class BoundedRequests:
    """Refuse what no view is made for, before anything reads it.

    Files that are too large would fill the disk on the way. A body without a length would be
    taken for an empty one; proxies and the embedded server give it one.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in METHODS:
            return HttpResponseNotAllowed(METHODS)
        if "HTTP_TRANSFER_ENCODING" in request.META and not request.META.get("CONTENT_LENGTH"):
            return HttpResponse("Send the body's length.\n", "text/plain", status=411)
        length = request.META.get("CONTENT_LENGTH") or "0"
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        if request.content_type == "multipart/form-data" and UPLOADS.fullmatch(request.path):
            most += bots.LARGEST
        if length.isdigit() and int(length) > most:
            is_api = request.path.startswith("/api/")
            return problems.too_large() if is_api else errors.too_large(request)
        return self.get_response(request)


class Refusals:
    """A page that cannot be shown says why; forms and the API do so in their own ways."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, LadderError):
            return None
        return render(request, "refused.html", {"sentence": str(error)}, status=status_of(error))


class Operators:
    """Records what an operator changes on the site's own pages, as the admin and the API do."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if (
            request.method == "POST"
            and response.status_code < 400
            and not request.path.startswith(("/admin/", "/api/"))
        ):
            what = f"{request.path} {request.POST.get('act', '')}".strip()
            audit.request(request.user, "site", "POST", what)
        return response


class SuspendedUsers:
    """A suspended user is signed out at once, whatever the session says."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.user.is_authenticated and request.user.is_suspended:
            logout(request)
        return self.get_response(request)
