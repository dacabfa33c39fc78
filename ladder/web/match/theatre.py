"""The theatre: the page of a play, decisions from the inside, positions to play on from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from engine.errors import BadReplay
from engine.games import GAMES
from engine.replay import read
from engine.studies.explorer import kind_at
from ladder.boards import Board
from ladder.contract.matches import OpenMatch, StoredPlay
from ladder.errors import LadderError
from ladder.queries import analyses, broadcasts, matches
from ladder.queries.analyses import explorer as explored
from ladder.queries.remote import playing
from ladder.replays.films import in_words
from ladder.services import analyses as asking
from ladder.theatre.inside import decisions
from ladder.web.embed.oembed import oembed_of, share_of
from ladder.web.http.downloads import play_or_404, position_file, position_name, replay_or_404
from ladder.web.http.pages import number
from ladder.web.http.statuses import status_of


def on_stage(request: HttpRequest, pk: int, index: int) -> StoredPlay | OpenMatch:
    """A play that is over, or the match under way of which it is a part."""
    found = matches.play(request.user, pk, index) or broadcasts.open_match(request.user, pk)
    return found or play_or_404(request, pk, index)  # it may have ended this very moment


@require_safe
def theatre(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """A play on stage, as soon as its match is under way; before that, the match's page."""
    found = on_stage(request, pk, index)
    if not isinstance(found, OpenMatch):
        return _finished(request, found)
    if found.match.status == "queued":
        return redirect("match", pk)
    return _live(request, found, index)


def _finished(request: HttpRequest, play: StoredPlay) -> HttpResponse:
    where = [play.match, play.index]
    board = Board(play.game, play.match_seats)
    plays = len(matches.plays_of(play.match))
    context = _context(play.match, board, play.index, play.seating, plays=plays)
    context["is_exhibition"] = play.match_kind == "exhibition"
    context |= _shared(request, where)
    context["setup"] |= {
        "position": reverse("position", args=where),
        "play_on": f"{reverse('play', args=[play.game])}?match={play.match}&play={play.index}",
        "replay": reverse("replay-download", args=where),
        "analysis": _analysis(request, play),
        "explorer": None if board.is_solo else reverse("explorer", args=where),
        "position_file": position_name(play, "STEP"),
        "inside": {
            seat: reverse("inside", args=[*where, seat])
            for seat in matches.own_seats(request.user, play)
        },
        "faults": msgspec.to_builtins(play.faults),
        "share": share_of(reverse("theatre", args=where), reverse("embed-play", args=where)),
    }
    if play.match_kind == "remote" and playing.has_notes(play.match):
        context["setup"]["notes"] = reverse("notes", args=where)
    results = zip(context["seats"], play.points, play.places, strict=True)
    context |= {
        "play": play,
        "plain": in_words(board.rules, play.digest, lambda: replay_or_404(play)),
        "results": list(results),
    }
    return render(request, "ladder/match/theatre.html", context)


def _shared(request: HttpRequest, where: list[int]) -> dict[str, Any]:
    """What a link to the play shows elsewhere: at the step that the address names."""
    step = number(request.GET.get("step"))
    at = "" if step is None else f"?step={step}"
    return {
        "card": reverse("play-card", args=where) + at,
        "embed": oembed_of(reverse("theatre", args=where) + at),
    }


def _analysis(request: HttpRequest, play: StoredPlay) -> dict[str, Any]:
    """Where the server's analysis is, how far it has come, and how to ask for it."""
    stored = analyses.of_play(play.id)
    told: dict[str, Any] = {"address": reverse("analysis", args=[play.match, play.index])}
    if stored is not None:
        names = ("status", "ahead", "is_stored", "is_stale")
        told |= {name: getattr(stored, name) for name in names}
    elif request.user.is_authenticated and settings.ANALYSIS_SHARE:
        told["token"] = get_token(request)
    return told


@require_http_methods(["GET", "HEAD", "POST"])
def analysis(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """The server's analysis of a play as JSON; POST asks for one."""
    play = play_or_404(request, pk, index)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return JsonResponse({"problem": "Sign in to ask for an analysis."}, status=401)
        try:
            asking.request(user=request.user, play=play.id)
        except LadderError as error:
            return JsonResponse({"problem": str(error)}, status=status_of(error))
        stored = analyses.of_play(play.id)
        assert stored is not None
        return JsonResponse({"status": stored.status, "ahead": stored.ahead})
    text = analyses.text_of(play.id)
    if text is None:
        raise Http404
    return HttpResponse(text, content_type="application/json")


@require_safe
def notes(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """What remote bots noted with their decisions, by step."""
    play = play_or_404(request, pk, index)
    return JsonResponse(playing.notes(play.match, read(replay_or_404(play))))


@require_safe
def explorer(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """What the top ten of the board do in the kind of position at `?step=`."""
    play = play_or_404(request, pk, index)
    step = number(request.GET.get("step"))
    board = Board(play.game, play.match_seats)
    if step is None or board.is_solo:
        raise Http404
    try:
        found = kind_at(board.rules, read(replay_or_404(play)), step)
    except (BadReplay, LadderError) as error:
        return JsonResponse({"problem": f"{error}"}, status=409)
    if found is None:
        return JsonResponse({"problem": "Nobody decides here."}, status=409)
    return JsonResponse(msgspec.to_builtins(explored.at(board, *found)))


def _live(request: HttpRequest, found: OpenMatch, index: int) -> HttpResponse:
    """The same page of a match under way: the film of a play grows."""
    if index >= len(found.seatings):
        raise Http404
    match, due = found.match, len(found.seatings)
    board = Board(match.game, match.seats)
    context = _context(match.id, board, index, found.seatings[index], plays=due)
    context["setup"]["live"] = True
    context["is_exhibition"] = match.is_exhibition
    return render(request, "ladder/match/theatre.html", context)


def _context(
    match: int, board: Board, index: int, seating: Sequence[int], *, plays: int
) -> dict[str, Any]:
    """What the page shows of any play."""
    by_slot = matches.seated_at(match)
    seats = [by_slot[slot] for slot in seating]
    return {
        "match": match,
        "board": board,
        "index": index,
        "plays": plays,
        "seats": seats,
        "game": board.rules,
        "board_css": static(f"games/{board.game}/board.css"),
        "setup": {
            "board": static(f"games/{board.game}/board.js"),
            "frames": reverse("frames", args=[match, index]),
            "links": [reverse("bot", args=[entry.bot]) for entry in seats],
            "plays": _neighbours(match, index, plays),
            "faults": [],
        },
    }


@require_safe
def inside(request: HttpRequest, pk: int, index: int, seat: int) -> HttpResponse:
    """The decisions of the reader's own bot as it met them; not found for others."""
    play = play_or_404(request, pk, index)
    entry = matches.own_seats(request.user, play).get(seat)
    if entry is None:
        raise Http404
    faults = [one for one in msgspec.to_builtins(play.evidence) if one["seat"] == seat]
    fault = faults[0] if faults else None
    printed = entry.printed_at(play=play.index + 1, seat=seat + 1)
    game = GAMES[play.game]
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


def _neighbours(match: int, index: int, plays: int) -> dict[str, str]:
    """Where the plays before and after this one are, of the same match."""
    found = {"previous": index - 1, "next": index + 1}
    return {
        name: reverse("theatre", args=[match, other])
        for name, other in found.items()
        if 0 <= other < plays
    }
