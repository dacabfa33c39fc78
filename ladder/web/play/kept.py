"""Plays of people that they keep: to watch again, to send to a friend, to take away."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from engine.games import GAMES
from engine.replay import read
from ladder.boards import Board
from ladder.contract.operation import KeptPlay
from ladder.errors import LadderError
from ladder.queries import kept_plays
from ladder.replays.films import film_tag, in_words
from ladder.services import kept_plays as service
from ladder.theatre.film import film
from ladder.web.embed.oembed import oembed_of, share_of
from ladder.web.http.conditional import conditional, download
from ladder.web.http.downloads import replay_or_404
from ladder.web.http.films import film_answer, viewer_or_404
from ladder.web.http.limits import limited
from ladder.web.http.pages import SignedInRequest, number
from ladder.web.http.statuses import status_of


@require_POST
def keep(request: HttpRequest) -> JsonResponse:
    """Keep the replay in the request's body; the answer says where, or why not."""
    if not request.user.is_authenticated:
        return JsonResponse({"problem": "Sign in to keep it."}, status=401)
    try:
        play = service.keep(user=request.user, data=request.body)
    except LadderError as error:
        return JsonResponse({"problem": str(error)}, status=status_of(error))
    return JsonResponse({"page": reverse("kept-play", args=[play.pk])})


@csrf_exempt  # no account acts here: a guest has nothing that another site could use
@require_POST
@limited("share")
def share(request: HttpRequest) -> JsonResponse:
    """Keep a guest's replay for some days; the answer says where, or why not."""
    try:
        play = service.share(data=request.body)
    except LadderError as error:
        return JsonResponse({"problem": str(error)}, status=status_of(error))
    return JsonResponse({"page": reverse("kept-play", args=[play.pk])})


@require_safe
def kept_play(request: HttpRequest, pk: int) -> HttpResponse:
    play = _play_or_404(pk)
    board = Board(play.game, play.seats)
    setup = {
        "board": static(f"games/{play.game}/board.js"),
        "frames": reverse("kept-frames", args=[pk]),
        "replay": reverse("kept-replay", args=[pk]),
        "play_on": f"{reverse('play', args=[play.game])}?kept={pk}",
        "file": _file_name(play),
        "links": [],
        "faults": [],
        "share": share_of(reverse("kept-play", args=[pk]), reverse("embed-kept", args=[pk])),
    }
    step = number(request.GET.get("step"))
    at = "" if step is None else f"?step={step}"
    context = {
        "card": reverse("kept-card", args=[pk]) + at,
        "embed": oembed_of(reverse("kept-play", args=[pk]) + at),
        "play": play,
        "board": board,
        "game": board.rules,
        "setup": setup,
        "board_css": static(f"games/{play.game}/board.css"),
        "plain": in_words(board.rules, play.digest, lambda: replay_or_404(play)),
        "is_own": play.is_managed_by(request.user),
        "guest_days": settings.KEEP_GUEST_PLAYS_DAYS,
    }
    return render(request, "ladder/play/kept.html", context)


@require_safe
def frames(request: HttpRequest, pk: int) -> HttpResponse:
    play = _play_or_404(pk)
    game = GAMES[play.game]
    viewer = viewer_or_404(request, play.seats)
    tag = film_tag(game, play.digest, viewer)
    return conditional(
        request,
        tag,
        lambda: film_answer(request, tag, lambda: film(game, read(replay_or_404(play)), viewer)),
    )


@require_safe
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    play = _play_or_404(pk)
    return conditional(
        request,
        f"{play.digest}.gz",
        lambda: download(replay_or_404(play), "application/gzip", _file_name(play)),
    )


@login_required
@require_POST
def remove(request: SignedInRequest, pk: int) -> HttpResponse:
    play = _play_or_404(pk)
    if not play.is_managed_by(request.user):
        raise Http404
    service.remove(pk)
    messages.success(request, "The play is removed.")
    return redirect("user", play.owner)


def _play_or_404(pk: int) -> KeptPlay:
    found = kept_plays.find(pk)
    if found is None:
        raise Http404
    return found


def _file_name(play: KeptPlay) -> str:
    return f"ladle-{play.game}-{play.id}.json.gz"
