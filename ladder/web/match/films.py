"""The film that the theatre plays: of a finished play, or of one under way as far as it came."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from engine.games import GAMES
from engine.replay import read
from ladder.models import Match, Play
from ladder.queries import broadcasts, matches
from ladder.theatre.film import film
from ladder.web.http.conditional import conditional, unchanging
from ladder.web.http.downloads import replay_or_404
from ladder.web.http.films import Film, film_answer, film_tag, viewer_or_404
from ladder.web.match.replays import play_or_404

LIVE_SECONDS = 30


@require_safe
def frames(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """The film of a play, whole or as one seat saw it. It is made once and then kept."""
    play = matches.play(request.user, pk, index)
    if play is None:
        match = broadcasts.open_match(request.user, pk)
        if match is not None:
            return _live(request, match, index)
        play = play_or_404(request, pk, index)  # it may have ended this very moment
    return _finished(request, play)


def _finished(request: HttpRequest, play: Play) -> HttpResponse:
    viewer = viewer_or_404(request, play.match.seats)
    tag = film_tag(GAMES[play.match.game], play.digest, viewer)

    def make() -> Film:
        return film(GAMES[play.match.game], read(replay_or_404(play)), viewer)

    return unchanging(request, play.match, tag, lambda: film_answer(request, tag, make))


def _live(request: HttpRequest, match: Match, index: int) -> HttpResponse:
    """The play so far; 204 while nothing has been told of it."""
    is_queued = match.status == Match.Status.QUEUED
    if not is_queued and index >= len(broadcasts.seatings(match)):
        raise Http404
    row = None if is_queued else broadcasts.play(match, index)
    if row is None:
        response = HttpResponse(status=204)
    else:
        viewer = viewer_or_404(request, match.seats)
        so_far = f"{row.steps}{'-over' if row.is_over else ''}"
        play = f"{match.pk}-{index}-{row.attempt}-{so_far}"
        tag = film_tag(GAMES[match.game], play, viewer)

        def make() -> Film:
            made = film(GAMES[match.game], read(bytes(row.replay)), viewer)
            return made | {"live": not row.is_over}

        response = conditional(
            request, tag, lambda: film_answer(request, tag, make, kept=LIVE_SECONDS)
        )
    response["Cache-Control"] = "private, no-cache"
    return response
