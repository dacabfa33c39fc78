"""The film that the theatre plays: of a finished play, or of one under way as far as it came."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from engine.games import GAMES
from engine.replay import read
from ladder.contract.matches import OpenMatch, StoredPlay
from ladder.queries import broadcasts
from ladder.replays.films import Film, film_tag
from ladder.theatre.film import film
from ladder.web.http.conditional import conditional, unchanging
from ladder.web.http.downloads import replay_or_404
from ladder.web.http.films import film_answer, viewer_or_404
from ladder.web.match.theatre import on_stage

LIVE_SECONDS = 30


@require_safe
def frames(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """The film of a play, whole or as one seat saw it. It is made once and then cached."""
    found = on_stage(request, pk, index)
    if isinstance(found, OpenMatch):
        return _live(request, found, index)
    return _finished(request, found)


def _finished(request: HttpRequest, play: StoredPlay) -> HttpResponse:
    game, viewer = GAMES[play.game], viewer_or_404(request, play.match_seats)
    tag = film_tag(game, play.digest, viewer)

    def make() -> Film:
        return film(game, read(replay_or_404(play)), viewer)

    return unchanging(request, play.is_of_tournament, tag, lambda: film_answer(request, tag, make))


def _live(request: HttpRequest, found: OpenMatch, index: int) -> HttpResponse:
    """The play so far; 204 while its worker has reported nothing."""
    match = found.match
    is_queued = match.status == "queued"
    if not is_queued and index >= len(found.seatings):
        raise Http404
    told = None if is_queued else broadcasts.play(match.id, index)
    if told is None:
        response = HttpResponse(status=204)
    else:
        game, viewer = GAMES[match.game], viewer_or_404(request, match.seats)
        so_far = f"{told.steps}{'-over' if told.is_over else ''}"
        tag = film_tag(game, f"{match.id}-{index}-{told.attempt}-{so_far}", viewer)

        def make() -> Film:
            return film(game, read(broadcasts.replay(told)), viewer) | {"live": not told.is_over}

        response = conditional(
            request, tag, lambda: film_answer(request, tag, make, kept=LIVE_SECONDS)
        )
    response["Cache-Control"] = "private, no-cache"
    return response
