"""Puzzles: the one of the day, a stock per game, and a page to answer each on."""

from __future__ import annotations

import msgspec
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from engine.games import GAMES
from ladder.errors import LadderError
from ladder.queries import matches
from ladder.queries.analyses import puzzles as queries
from ladder.services.analyses import puzzles as service
from ladder.web.http.pages import json_object
from ladder.web.http.statuses import status_of

LISTED = 12  # of each game
LONGEST_BODY = 4000


@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    """The puzzle of the day, and the newest of every game."""
    stock = [
        (game, found) for game in GAMES.values() if (found := queries.newest(game.slug, LISTED))
    ]
    done: dict[int, bool] = {}
    solver = None
    if request.user.is_authenticated:
        listed = [puzzle.id for _, found in stock for puzzle in found]
        done = queries.answered_among(request.user.pk, listed)
        solver = queries.solver(request.user.pk)
    today = queries.of_the_day()
    context = {
        "today": today,
        "today_game": GAMES[today.game] if today else None,
        "stock": stock,
        "done": done,
        "solver": solver,
        "without": [game.title for game in GAMES.values() if game not in {one for one, _ in stock}],
    }
    return render(request, "ladder/puzzle/puzzles.html", context)


@require_safe
def puzzle(request: HttpRequest, pk: int) -> HttpResponse:
    """A position to answer on the board, in the list, or without scripts in a form."""
    user = request.user.pk if request.user.is_authenticated else None
    found = queries.show(pk, user)
    if found is None:
        raise Http404
    game = GAMES[found.game]
    following = queries.next_after(pk, found.game, user)
    setup = {
        "board": static(f"games/{found.game}/board.js"),
        "rules": reverse("rules", args=[found.game]),
        "opening": found.opening,
        "seat": found.seat,
        "address": reverse("puzzle-answer", args=[pk]),
        "token": get_token(request),
        "next": following and reverse("puzzle", args=[following]),
        "all": reverse("puzzles"),
        "sign_in": None if user else f"{reverse('sign-in')}?next={reverse('puzzle', args=[pk])}",
        "answered": found.answer is not None,
    }
    context = {
        "puzzle": found,
        "game": game,
        "setup": setup,
        "choices": found.opening["asked"]["choices"],
        "text": queries.text_of(pk),
        "board_css": static(f"games/{found.game}/board.css"),
    }
    return render(request, "ladder/puzzle/puzzle.html", context)


@require_POST
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Judge an answer: JSON for the page's script, a message for its form."""
    is_json = request.content_type == "application/json"
    try:
        action = _action(request, is_json)
        user = request.user if request.user.is_authenticated else None
        verdict = service.answer(user=user, puzzle=pk, action=action)
    except LadderError as error:
        if is_json:
            return JsonResponse({"problem": str(error)}, status=status_of(error))
        if status_of(error) == 404:
            raise Http404 from None
        messages.error(request, str(error))
        return redirect("puzzle", pk)
    if not is_json:
        level = messages.success if verdict.is_right else messages.warning
        level(
            request, f"{'Right.' if verdict.is_right else 'Not the best move.'} {verdict.sentence}"
        )
        return redirect("puzzle", pk)
    told = msgspec.to_builtins(verdict)
    match, index = verdict.match, verdict.play
    if match is not None and index is not None and matches.play(request.user, match, index):
        told["theatre"] = f"{reverse('theatre', args=[match, index])}#step={verdict.step}"
    return JsonResponse(told)


def _action(request: HttpRequest, is_json: bool) -> str:
    if not is_json:
        return request.POST.get("action", "")
    action = (json_object(request.body[:LONGEST_BODY]) or {}).get("action")
    return action if isinstance(action, str) else ""
