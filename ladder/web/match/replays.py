"""A match's replays: their files, and the check that they are true."""

from __future__ import annotations

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from engine.errors import EngineError
from engine.games import GAMES
from engine.replay import read, verify
from ladder.models import Match, Play
from ladder.services import tournaments
from ladder.web.http.addresses import client_address
from ladder.web.http.downloads import match_zip, replay_file, unchanging
from ladder.web.http.limits import come_back_later
from ladder.web.http.pages import page_or_fragment

VERIFIED_SECONDS = 3600
VERIFIED_PER_MINUTE = 20
VERIFYING_WINDOW_S = 60


def replay_download(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    seen = Play.objects.select_related("match").filter(
        match__in=tournaments.visible_matches(request.user)
    )
    play = get_object_or_404(seen, match=pk, index=index)
    return unchanging(
        request,
        play.match,
        tag=play.digest,
        name=f"ladle-match-{pk}-play-{index}.json.gz",
        content_type="application/gzip",
        content=lambda: replay_file(play),
    )


def match_download(request: HttpRequest, pk: int) -> HttpResponse:
    """All replays of a match in one zip."""
    found = get_object_or_404(tournaments.visible_matches(request.user), pk=pk)
    return match_zip(request, found)


def verify_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Referee every play of a match again, from its replay alone."""
    found = get_object_or_404(tournaments.visible_matches(request.user), pk=pk)
    plays = list(found.plays.order_by("index"))
    if not _may_verify(request, found):
        return come_back_later(request, VERIFYING_WINDOW_S)
    checks = [{"play": play, "problem": _problem(play, found.game)} for play in plays]
    context = {
        "match": found,
        "checks": checks,
        "is_sound": bool(checks) and not any(check["problem"] for check in checks),
    }
    return page_or_fragment(
        request, "ladder/match/verify.html", "ladder/match/_verify.html", context
    )


def _may_verify(request: HttpRequest, match: Match) -> bool:
    """Refereeing takes seconds for a long game: so many matches a minute for each visitor."""
    visitor = f"verifying:{client_address(request)}"
    seen = cache.get(visitor, set())
    if match.pk not in seen:
        if len(seen) >= VERIFIED_PER_MINUTE:
            return False
        cache.set(visitor, seen | {match.pk}, VERIFYING_WINDOW_S)
    return True


def _problem(play: Play, game: str) -> str:
    """What is wrong with a stored replay, or nothing. A sound one is remembered."""
    key = f"verified:{play.pk}:{play.digest}:{GAMES[game].rules_version}"
    if not cache.get(key):
        try:
            replay = read(replay_file(play))
            if replay.digest() != play.digest:
                return "the file is not the one that was rated: its digest differs"
            verify(GAMES[game], replay)
        except Http404:
            return "its file is missing"
        except (EngineError, OSError) as error:
            return str(error)
        cache.set(key, True, VERIFIED_SECONDS)
    return ""
