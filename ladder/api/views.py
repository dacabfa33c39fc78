"""What every view of the API shares."""

from __future__ import annotations

import hashlib
from typing import Any, NoReturn, TypeVar

import msgspec
from django.http import HttpResponse
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from rest_framework.exceptions import AuthenticationFailed, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ladder.api import problems
from ladder.api.pagination import Pages, link
from ladder.api.parameters import FilterParameters, kinds
from ladder.api.throttling import Throttle
from ladder.contract import Filter, Value
from ladder.queries.keyset import Page
from ladder.services import audit
from ladder.services.accounts import User
from ladder.web.http.conditional import conditional

V = TypeVar("V", bound=Value)


class UserRequest(Request):
    """A request behind the permissions that let only users pass; for annotations."""

    user: User


class ApiView(APIView):
    """JSON in, JSON out; answers to GET carry an ETag and are not sent twice."""

    throttles: list[Throttle] = []
    more_problems: tuple[int, ...] = ()  # statuses of its own, for the schema
    names_bots = False  # whether a request names bots that may not be there
    needs_user = False  # whether reading, too, is for signed-in users only
    for_publishing: tuple[str, ...] = ()  # methods that a CI job's token may use on its bot
    needs_sign_in: tuple[str, ...] = ()  # methods that no token may use
    own_parameters: tuple[str, ...] = ()  # of its query, beside filters and pages

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before anybody is asked for a token: no token would help.
        if not hasattr(self, str(request.method).lower()):
            self.http_method_not_allowed(request)
        super().initial(request, *args, **kwargs)
        if unknown := sorted(set(request.query_params) - self.parameters()):
            raise ValidationError({name: ["Unknown parameter."] for name in unknown})

        if "If-Match" in request.headers and request.method in ("PATCH", "PUT", "DELETE"):
            self.check_unchanged(request, *args, **kwargs)

    def check_unchanged(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse to change what is no longer as the client saw it."""
        wanted = request.headers["If-Match"]
        if wanted.strip() == "*" or not hasattr(self, "get"):
            return
        now = self.get(request, *args, **kwargs)
        content = JSONRenderer().render(now.data) if isinstance(now, Response) else now.content
        tags = {tag.strip().removeprefix("W/").strip('"') for tag in wanted.split(",")}
        if tag_of(content) not in tags:
            raise problems.Changed

    def get_throttles(self) -> list[Throttle]:  # type: ignore[override]  # all of ours are
        self.throttles = [throttle() for throttle in self.throttle_classes]  # type: ignore[misc]
        return self.throttles

    def throttled(self, request: Request, wait: float) -> NoReturn:
        spent = max(self.throttles, key=lambda one: one.wait_s * one.standing.count(";r=0;"))
        raise problems.TooMany(key=spent.scope, wait=wait)

    def parameters(self) -> set[str]:
        """The names that a query may hold."""
        return set(self.own_parameters)

    def perform_authentication(self, request: Request) -> None:
        try:
            super().perform_authentication(request)
        except AuthenticationFailed:
            self.check_throttles(request)  # or tokens could be tried out without end
            raise

    def permission_denied(self, request: Request, *args: Any, **kwargs: Any) -> NoReturn:
        self.check_throttles(request)
        super().permission_denied(request, *args, **kwargs)

    def finalize_response(
        self, request: Request, response: Any, *args: Any, **kwargs: Any
    ) -> Response:
        final: Response = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(final, ["Authorization", "Cookie"])
        final.headers.setdefault("Cache-Control", "private, no-cache")
        counted = [one for one in self.throttles if one.standing]
        if counted:
            final.headers["RateLimit-Policy"] = ", ".join(one.policy for one in counted)
            final.headers["RateLimit"] = ", ".join(one.standing for one in counted)
        if isinstance(final, Response) and request.method in ("GET", "HEAD"):
            final.add_post_render_callback(lambda done: tagged(request, done))
        elif request.method not in SAFE_METHODS and final.status_code < 400:
            audit.request(request.user, "API", f"{request.method}", request.path)
        return final


class PagesView(ApiView):
    """A list in pages that its question makes."""

    pagination_class = Pages
    filter_backends = (FilterParameters,)
    filter_by: type[Filter] = Filter

    @property
    def paginator(self) -> Pages:
        return Pages()

    def parameters(self) -> set[str]:
        pages = self.paginator.get_schema_operation_parameters(self)
        named = {page["name"] for page in pages} | set(kinds(self.filter_by))
        return super().parameters() | named

    def answer(self, page: Page[Any]) -> HttpResponse:
        body = {
            "next": link(self.request, page.next),
            "previous": link(self.request, page.previous),
            "results": page.rows,
        }
        return encoded(self.request, body)


def encoded(request: Request, body: Any) -> HttpResponse:
    """An answer of a busy list; DRF's own encoder would cost as much as all the rest."""
    response = HttpResponse(msgspec.json.encode(body), content_type="application/json")
    return tagged(request, response) if request.method in SAFE_METHODS else response


def made(value: Value, location: str = "", status: int = 200) -> Response:
    """The answer to an act, which may be saved for a retry."""
    headers = {"Location": location} if location else None
    return Response(msgspec.to_builtins(value), status=status, headers=headers)


def addressed(value: V, route: str) -> V:
    """A value with the address of its page, which only the site knows."""
    return msgspec.structs.replace(value, page=reverse(route, args=[getattr(value, "id")]))  # noqa: B009


def tag_of(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def tagged(request: Request, response: HttpResponse) -> HttpResponse:
    """The answer with a tag of its content; 304 for a client that has this very answer."""
    if response.status_code != 200 or "ETag" in response.headers:
        return response
    answer = conditional(request, tag_of(response.content), lambda: response)
    if answer is not response:
        for name in ("Cache-Control", "Vary"):
            if name in response.headers:
                answer[name] = response[name]
    return answer
