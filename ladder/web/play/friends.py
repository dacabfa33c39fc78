"""Playing with friends: a table that people join by a link, each in a browser of their own."""

from __future__ import annotations

from typing import Any

import msgspec
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from engine.game import Game
from ladder.contract.people import Chair, Room
from ladder.errors import LadderError
from ladder.queries.remote import people as queries
from ladder.services.remote import people, shown
from ladder.web.game.views import game_or_404
from ladder.web.http import counting
from ladder.web.http.addresses import client_address
from ladder.web.http.limits import limited
from ladder.web.http.pages import json_object, number
from ladder.web.http.statuses import status_of
from ladder.web.http.streaming import stream_address, stream_origin
from ladder.web.play.views import table_setup

MOST_BODY = 4096
# Tables made from an address; they count for a day, and while they are not over.
MOST_REMEMBERED, REMEMBERED_SECONDS = 500, 24 * 3600


@limited("tables")
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose who sits where; the answer to the form has the link and your secret."""
    game = game_or_404(slug)
    if request.method == "POST":
        asked = _body(request)
        places = asked.get("places")
        if not isinstance(places, list) or not all(isinstance(one, str) for one in places):
            return JsonResponse({"problem": "Send places, a list of texts."}, status=400)
        here = counting.key_of("tables_made", client_address(request))
        earlier: list[int] = cache.get(here) or []
        try:
            table, secret = people.open_table(
                game=slug,
                places=places,
                name=str(asked.get("name", "")),
                user=request.user if request.user.is_authenticated else None,
                seat=asked["seat"] if isinstance(asked.get("seat"), int) else 0,
                earlier=earlier,
            )
        except LadderError as error:
            return _refused(error)
        cache.set(here, [*earlier, table.pk][-MOST_REMEMBERED:], REMEMBERED_SECONDS)
        return _issued(reverse("shared-table", args=[table.key]), secret)
    setup = table_setup(game) | _own_name(request)
    setup |= {"token": get_token(request), "longest_name": people.LONGEST_NAME}
    return _page(request, game, setup, "Play with friends")


@require_safe
def table(request: HttpRequest, key: str) -> HttpResponse:
    """The room of a table: join it, wait for others, play."""
    room = queries.room(key)
    if room is None:
        return render(request, "ladder/play/table_gone.html", status=404)
    game = game_or_404(room.game)
    origin = stream_origin(request)
    setup = {
        "key": key,
        "game": room.game,
        "board": static(f"games/{room.game}/board.js"),
        "rules": reverse("rules", args=[room.game]),
        "token": get_token(request),
        "longest_name": people.LONGEST_NAME,
        "join": reverse("join-table", args=[key]),
        "state": reverse("table-state", args=[key]),
        "hint": reverse("table-hint", args=[key]),
        "again": reverse("friends", args=[room.game]),
        "plays": reverse("kept-play", args=[0]).removesuffix("0/"),
        "room": msgspec.to_builtins(room),
        "link": request.build_absolute_uri(reverse("shared-table", args=[key])),
        "door": f"{origin}/api/v1" if stream_address(request) else "",
    } | _own_name(request)
    return _page(request, game, setup, "Table")


@require_POST
@limited("tables")
def join(request: HttpRequest, key: str) -> HttpResponse:
    """Take a free seat."""
    user = request.user if request.user.is_authenticated else None
    try:
        found, secret = people.join(key=key, name=str(_body(request).get("name", "")), user=user)
    except LadderError as error:
        return _refused(error)
    return _issued(reverse("shared-table", args=[found.key]), secret)


@require_safe
def state(request: HttpRequest, key: str) -> HttpResponse:
    """The room, and for the holder of a seat the play as that seat sees it."""
    room = _room_or_404(key)
    chair = _chair(request, key)
    after = number(request.GET.get("after")) or 0
    play = shown.seen(chair, after) if chair is not None else None
    answer: dict[str, Any] = {"room": msgspec.to_builtins(room), "play": play}
    answer["seat"] = chair.seat if chair is not None else None
    return _no_store(JsonResponse(answer))


@csrf_exempt  # by the secret in the header alone
@require_POST
@limited("hints")
def hint(request: HttpRequest, key: str) -> HttpResponse:
    """What a house bot would do in your place."""
    chair = _chair(request, key)
    if chair is None:
        return JsonResponse({"problem": "This seat is not yours."}, status=401)
    return _no_store(JsonResponse(shown.hint(chair)))


def _chair(request: HttpRequest, key: str) -> Chair | None:
    """The seat whose secret is in the header, if it is at this table."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    found = queries.chair(secret.strip()) if kind.lower() == "bearer" else None
    return found if found is not None and found.key == key else None


def _room_or_404(key: str) -> Room:
    found = queries.room(key)
    if found is None:
        raise Http404(people.GONE)
    return found


def _own_name(request: HttpRequest) -> dict[str, Any]:
    return {"you": request.user.username if request.user.is_authenticated else ""}


def _body(request: HttpRequest) -> dict[str, Any]:
    return json_object(request.body[:MOST_BODY]) or {}


def _refused(error: LadderError) -> HttpResponse:
    return JsonResponse({"problem": str(error), "code": error.code}, status=status_of(error))


def _issued(page: str, secret: str) -> HttpResponse:
    return _no_store(JsonResponse({"page": page, "secret": secret}, status=201))


def _no_store(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "no-store"
    return response


def _page(request: HttpRequest, game: Game, setup: dict[str, Any], title: str) -> HttpResponse:
    board_css = static(f"games/{game.slug}/board.css")
    context = {"game": game, "setup": setup, "board_css": board_css, "title": title}
    response = render(request, "ladder/play/friends.html", context)
    response["Referrer-Policy"] = "no-referrer"  # the link is an invitation
    return _no_store(response)
