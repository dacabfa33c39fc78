"""The replay theatre: a page, the film it plays, and positions to play on from."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_safe

from engine.errors import BadReplay
from engine.games import GAMES
from engine.replay import read
from ladder.errors import LadderError
from ladder.models import Play
from ladder.queries import matches
from ladder.services import decision_logs
from ladder.theatre.inside import decisions
from ladder.web.http.conditional import unchanging
from ladder.web.http.downloads import position_file, position_name, replay_or_404
from ladder.web.http.films import film_answer, film_tag, in_words, viewer_or_404
from ladder.web.http.pages import number
from ladder.web.match.replays import play_or_404


@require_safe
def theatre(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    play = play_or_404(request, pk, index)
    match = play.match
    by_slot = {entry.slot: entry for entry in match.entries.select_related("bot")}
    seats = [by_slot[slot] for slot in play.seating]
    plays = matches.plays_of(match)
    setup = {
        "board": static(f"games/{match.game}/board.js"),
        "frames": reverse("frames", args=[pk, index]),
        "position": reverse("position", args=[pk, index]),
        "position_file": position_name(play, "STEP"),
        "links": [reverse("bot", args=[entry.bot_id]) for entry in seats],
        "plays": _neighbours(play, plays),
        "inside": {
            seat: reverse("inside", args=[pk, index, seat])
            for seat in matches.own_seats(request.user, play)
        },
        "faults": play.public_faults(),
    }
    context = {
        "match": match,
        "play": play,
        "game": match.board.rules,
        "seats": [
            {
                "seat": seat,
                "bot": entry.bot,
                "points": play.points[seat],
                "place": play.places[seat],
            }
            for seat, entry in enumerate(seats)
        ],
        "plays": len(plays),
        "setup": setup,
        "board_css": static(f"games/{match.game}/board.css"),
        "plain": in_words(match.board.rules, play.digest, lambda: replay_or_404(play)),
    }
    return render(request, "ladder/match/theatre.html", context)


@require_safe
def frames(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """The film of a play, whole or as one seat saw it. It is made once and then kept."""
    play = play_or_404(request, pk, index)
    game = GAMES[play.match.game]
    viewer = viewer_or_404(request, play.match.seats)
    tag = film_tag(game, play.digest, viewer)
    return unchanging(
        request,
        play.match,
        tag,
        lambda: film_answer(request, game, viewer, tag, lambda: replay_or_404(play)),
    )


@require_safe
def inside(request: HttpRequest, pk: int, index: int, seat: int) -> HttpResponse:
    """The decisions of one's own bot as it met them; nobody else's business."""
    play = play_or_404(request, pk, index)
    entry = matches.own_seats(request.user, play).get(seat)
    if entry is None:
        raise Http404
    fault = next((one for one in play.faults if one["seat"] == seat), None)
    printed = decision_logs.printed(entry.log, play=play.index + 1, seat=seat + 1)
    game = GAMES[play.match.game]
    try:
        data = decisions(game, read(replay_or_404(play)), seat, printed=printed, fault=fault)
    except BadReplay as error:
        return HttpResponse(str(error), status=409, content_type="text/plain; charset=utf-8")
    response = JsonResponse({"seat": seat, "loading": printed.get(0, ""), "decisions": data})
    response["Cache-Control"] = "private, no-store"
    return response


@require_safe
def position(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """The play up to a step, as a file that `ladle play --from` goes on with."""
    step = number(request.GET.get("step"))
    if step is None:
        raise Http404("a step is a whole number")
    try:
        return position_file(request, play_or_404(request, pk, index), step)
    except LadderError as error:
        raise Http404(str(error)) from None


def _neighbours(play: Play, plays: Sequence[Play]) -> dict[str, str]:
    """Where the plays before and after this one are, of the same match."""
    indexes = {one.index for one in plays}
    found = {"previous": play.index - 1, "next": play.index + 1}
    return {
        name: reverse("theatre", args=[play.match_id, index])
        for name, index in found.items()
        if index in indexes
    }
