"""A match's replays: their files, and the check that they are true."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from ladder.queries import matches
from ladder.replays.referee import verdict
from ladder.web.http import counting
from ladder.web.http.addresses import client_address
from ladder.web.http.downloads import match_zip, play_file, play_or_404
from ladder.web.http.limits import too_many_requests
from ladder.web.http.pages import page_or_fragment

VERIFIED_PER_MINUTE = 20
VERIFYING_WINDOW_S = 60


def replay_download(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    return play_file(request, play_or_404(request, pk, index))


def match_download(request: HttpRequest, pk: int) -> HttpResponse:
    """All replays of a match in one zip."""
    return match_zip(request, pk)


def verify_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Referee every play of a match again, from its replay alone."""
    if not matches.is_visible(request.user, pk):
        raise Http404
    if not _may_verify(request, pk):
        return too_many_requests(request, VERIFYING_WINDOW_S)
    plays = matches.plays_of(pk)
    checks = [{"play": play, "problem": verdict(play).problem} for play in plays]
    context = {
        "match": pk,
        "checks": checks,
        "is_sound": bool(checks) and not any(check["problem"] for check in checks),
    }
    return page_or_fragment(
        request, "ladder/match/verify.html", "ladder/match/_verify.html", context
    )


def _may_verify(request: HttpRequest, match: int) -> bool:
    """Refereeing takes seconds for a long game: each visitor has a limit of matches a minute."""
    visitor = client_address(request)
    if counting.count(counting.key_of("verify", f"{visitor} {match}"), VERIFYING_WINDOW_S) > 1:
        return True  # looked at just now
    key = counting.key_of("verify", visitor)
    return counting.count(key, VERIFYING_WINDOW_S) <= VERIFIED_PER_MINUTE
