"""Matches: the list, the receipt of one, its files and their check."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from django.core.cache import cache
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404
from django.utils.http import parse_etags, quote_etag
from django.utils.text import slugify

from engine.errors import EngineError
from engine.games import GAMES
from engine.replay import read, verify
from ladder.models import Bot, Entry, Match, Play
from ladder.views.match_rows import page
from ladder.views.pages import manages, number, page_or_fragment

VERIFIED_SECONDS = 3600
NEVER_CHANGES = "public, max-age=31536000, immutable"


def matches(request: HttpRequest) -> HttpResponse:
    query = request.GET
    filters: dict[str, Any] = {}
    if query.get("game") in GAMES:
        filters["game"] = query["game"]
    if seats := number(query.get("seats")):
        filters["seats"] = min(seats, 99)
    if query.get("kind") in KINDS:
        filters["kind"] = query["kind"]
    if query.get("status") in Match.Status.values:
        filters["status"] = query["status"]
    bot = number(query.get("bot"))
    context = {
        "page": page(filters, bot, number(query.get("after")), number(query.get("before"))),
        "filters": filters,
        "bot": Bot.objects.filter(pk=bot).first() if bot else None,
        "kinds": KINDS,
        "statuses": Match.Status.values,
        "seat_counts": range(1, 7),
    }
    return page_or_fragment(request, "ladder/matches.html", "ladder/_matches_page.html", context)


KINDS = [kind.value for kind in Match.Kind if kind != Match.Kind.CHECK]


def match(request: HttpRequest, pk: int) -> HttpResponse:
    entries = Entry.objects.select_related("bot__owner", "version").order_by("slot")
    found = get_object_or_404(
        Match.objects.shown()
        .select_related("tick", "trial", "pairing__tournament", "created_by")
        .prefetch_related(Prefetch("entries", entries), "plays"),
        pk=pk,
    )
    own = {entry.slot for entry in found.entries.all() if manages(request.user, entry.bot)}
    context = {
        "match": found,
        "entries": sorted(found.entries.all(), key=lambda entry: (entry.place or 99, entry.slot)),
        "plays": [_play(found, play, own) for play in found.plays.all()],
        "own": own,
        "queue_time": found.started_at - found.created_at if found.started_at else None,
    }
    return page_or_fragment(request, "ladder/match.html", "ladder/_match.html", context)


def _play(match: Match, play: Play, own: set[int]) -> dict[str, Any]:
    """A play as its card shows it; evidence of a fault only for the bot's author."""
    by_slot = {entry.slot: entry for entry in match.entries.all()}
    rows = [
        {
            "seat": seat,
            "entry": by_slot[slot],
            "place": play.places[seat],
            "points": play.points[seat],
            "note": match.board.rules.rating_note(play.points[seat], match.seats),
        }
        for seat, slot in enumerate(play.seating)
    ]
    faults = [
        {
            "entry": by_slot[play.seating[fault["seat"]]],
            "seat": fault["seat"],
            "sentence": fault["sentence"],
            "kind": fault["kind"],
            "detail": fault.get("detail") if play.seating[fault["seat"]] in own else "",
        }
        for fault in play.faults
    ]
    return {
        "play": play,
        "rows": sorted(rows, key=lambda row: (row["place"], row["seat"])),
        "faults": faults,
        "command": _command(match, [row["entry"] for row in rows]),
    }


def _command(match: Match, by_seat: list[Entry]) -> str:
    """What to type to play it again: the same scripts in the same seats on the same luck."""
    scripts = [
        f"{slugify(entry.bot.name) or 'bot'}-v{entry.version.number}.{entry.version.language}"
        for entry in by_seat
    ]
    options = [f"--option {name}={value}" for name, value in match.options.items()]
    return " ".join(["ladle play", match.game, *scripts, f"--seed {match.seed}", *options])


def replay_download(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    play = get_object_or_404(Play, match=pk, index=index)
    return _unchanging(
        request,
        tag=play.digest,
        name=f"ladle-match-{pk}-play-{index}.json.gz",
        content_type="application/gzip",
        content=lambda: _file(play),
    )


def match_download(request: HttpRequest, pk: int) -> HttpResponse:
    """All replays of a match in one zip."""
    plays = list(Play.objects.filter(match=pk).order_by("index"))
    if not plays:
        raise Http404
    return _unchanging(
        request,
        tag="-".join(play.digest[:16] for play in plays),
        name=f"ladle-match-{pk}.zip",
        content_type="application/zip",
        content=lambda: _zipped(plays),
    )


def _file(play: Play) -> bytes:
    with play.replay.open("rb") as file:
        return file.read()


def _zipped(plays: list[Play]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for play in plays:
            # A fixed date: the same match gives the same bytes every time.
            name = f"play-{play.index}.json.gz"
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), _file(play))
    return buffer.getvalue()


def _unchanging(
    request: HttpRequest, *, tag: str, name: str, content_type: str, content: Any
) -> HttpResponse:
    """A file that never changes: cached for good, and not sent again to who has it."""
    etag = quote_etag(tag)
    known = parse_etags(request.headers.get("If-None-Match", ""))
    if etag in known or "*" in known:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(content(), content_type=content_type)
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["ETag"] = etag
    response["Cache-Control"] = NEVER_CHANGES
    return response


def verify_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Referee every play of a match again, from its replay alone."""
    found = get_object_or_404(Match.objects.shown(), pk=pk)
    plays = list(found.plays.order_by("index"))
    checks = [{"play": play, "problem": _problem(play, found.game)} for play in plays]
    context = {
        "match": found,
        "checks": checks,
        "is_sound": bool(checks) and not any(check["problem"] for check in checks),
    }
    return page_or_fragment(request, "ladder/verify.html", "ladder/_verify.html", context)


def _problem(play: Play, game: str) -> str:
    """What is wrong with a stored replay, or nothing. A sound one is remembered."""
    key = f"verified:{play.pk}:{play.digest}:{GAMES[game].rules_version}"
    if not cache.get(key):
        try:
            replay = read(_file(play))
            if replay.digest() != play.digest:
                return "the file is not the one that was rated: its digest differs"
            verify(GAMES[game], replay)
        except (EngineError, OSError) as error:
            return str(error)
        cache.set(key, True, VERIFIED_SECONDS)
    return ""
