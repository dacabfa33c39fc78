"""Where a game in the browser goes on from: a step of a replay that the visitor may see."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse

from ladder.queries import kept_plays
from ladder.web.http.downloads import play_or_404
from ladder.web.http.pages import number


def origin(request: HttpRequest, slug: str) -> dict[str, Any] | None:
    """What `?match=`, `?play=` or `?kept=` name, with `?step=`; None where they name nothing."""
    asked = request.GET
    step, seat = number(asked.get("step")), number(asked.get("seat"))
    if "match" in asked:
        match, index = number(asked["match"]), number(asked.get("play"))
        if match is None or index is None:
            raise Http404
        play = play_or_404(request, match, index)
        game, seats, where = play.game, play.match_seats, [match, index]
        replay, page = reverse("replay-download", args=where), reverse("theatre", args=where)
    elif "kept" in asked:
        kept = kept_plays.find(number(asked["kept"]) or 0)
        if kept is None:
            raise Http404
        game, seats = kept.game, kept.seats
        replay, page = reverse("kept-replay", args=[kept.id]), reverse("kept-play", args=[kept.id])
    else:
        return None
    if game != slug or step is None:
        raise Http404
    taken = seat if seat is not None and seat < seats else 0
    return {"replay": replay, "page": page, "step": step, "seats": seats, "seat": taken}
