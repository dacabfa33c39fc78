"""Drafts of bots: the workshop reads and saves them, and a page lists them with their links."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.games import GAMES
from ladder.contract.drafts import Draft
from ladder.errors import Code, LadderError
from ladder.queries import drafts as queries
from ladder.queries import limits
from ladder.services import drafts as service
from ladder.web.http.pages import SignedInRequest, json_object, number
from ladder.web.http.statuses import status_of
from sandbox.languages import BY_SUFFIX


@require_http_methods(["GET", "HEAD", "POST"])
def draft(request: HttpRequest, slug: str, slot: str) -> JsonResponse:
    """One of the user's drafts; a POST saves it."""
    if not request.user.is_authenticated:
        return _refused("Sign in to save drafts to your account.", 401)
    if request.method != "POST":
        known = queries.find(request.user.pk, slug, slot)
        found = {"files": known.files, "revision": known.revision} if known else {}
        return _private({"files": None, "revision": 0} | found)
    try:
        given = _json(request)
        saved = service.save(
            user=request.user,
            game=slug,
            slot=slot,
            files=given.get("files"),
            revision=given.get("revision"),
        )
    except LadderError as error:
        return _refused(str(error), 409 if error.code is Code.CHANGED else status_of(error))
    limit = limits.drafts(request.user.pk)
    words = f"{limit.used} of {limit.most} drafts used."
    return _private({"revision": saved.revision, "words": words})


@require_POST
def share(request: HttpRequest, slug: str) -> JsonResponse:
    """Make a link to a read-only copy."""
    if not request.user.is_authenticated:
        return _refused("Sign in to share a draft by a link.", 401)
    try:
        given = _json(request)
        made = service.share(
            user=request.user,
            game=slug,
            language=str(given.get("language")),
            files=given.get("files"),
        )
    except LadderError as error:
        return _refused(str(error), status_of(error))
    limit = limits.shared_drafts(request.user.pk)
    address = reverse("shared-draft", args=[made.token])
    words = f"{limit.used} of {limit.most} links used."
    return _private({"address": address, "words": words})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def drafts(request: SignedInRequest) -> HttpResponse:
    """The user's drafts and the links to copies of them."""
    if request.method == "POST":
        if "draft" in request.POST:
            service.remove(user=request.user, pk=number(request.POST["draft"]) or 0)
            messages.success(request, "The draft is deleted from your account.")
        elif service.unshare(user=request.user, token=request.POST.get("token", "")):
            messages.success(request, "The link no longer works.")
        return redirect("drafts")
    own = queries.of_owner(request.user.pk)
    context = {
        "drafts": [(one, GAMES[one.game], _language(one.language), _workshop(one)) for one in own],
        "shared": [
            (one, GAMES[one.game], _language(one.language))
            for one in queries.shared_by(request.user.pk)
        ],
        "limit": limits.drafts(request.user.pk),
        "links": limits.shared_drafts(request.user.pk),
    }
    return render(request, "ladder/drafts/drafts.html", context)


@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """A copy of a draft, to read and to start from."""
    found = queries.shared(token)
    if found is None:
        raise Http404
    context = {
        "draft": found,
        "game": GAMES[found.game],
        "language": _language(found.language),
        "is_own": found.is_managed_by(request.user),
    }
    response = render(request, "ladder/drafts/shared.html", context)
    # The address is the secret: it is neither indexed nor sent on to others.
    response.headers["X-Robots-Tag"] = "noindex"
    response.headers["Referrer-Policy"] = "no-referrer"
    return response


def _workshop(draft: Draft) -> str:
    address = reverse("workshop", args=[draft.game])
    kind, key = draft.begun_from
    query = {kind: key} if kind else {"language": draft.language}
    return f"{address}?{urlencode(query)}"


def _language(slug: str) -> str:
    return BY_SUFFIX[f".{slug}"].name


def _json(request: HttpRequest) -> dict[str, Any]:
    given = json_object(request.body)
    if given is None:
        raise LadderError("The request is not a JSON object.", code=Code.MALFORMED)
    return given


def _refused(problem: str, status: int) -> JsonResponse:
    return JsonResponse({"problem": problem}, status=status)


def _private(answer: dict[str, Any]) -> JsonResponse:
    return JsonResponse(answer, headers={"Cache-Control": "private, no-store"})
