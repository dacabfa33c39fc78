"""Matches: the list, and the receipt of one."""

from __future__ import annotations

from typing import Any, get_args

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify

from engine.games import GAMES, MAX_SEATS
from ladder.boards import Board
from ladder.contract.matches import (
    STRUCK,
    MatchFilter,
    MatchStatus,
    Receipt,
    Seated,
    ShownKind,
    ShownMatch,
    StoredPlay,
)
from ladder.queries import bots, broadcasts
from ladder.queries import matches as queries
from ladder.queries.remote import playing
from ladder.web.embed.oembed import oembed_of
from ladder.web.http.pages import cursor_or_none, number, page_or_fragment

PAGE = 30
KINDS, STATUSES = get_args(ShownKind), get_args(MatchStatus)


def matches(request: HttpRequest) -> HttpResponse:
    query = request.GET
    offered: dict[str, Any] = {"game": GAMES, "kind": KINDS, "status": STATUSES}
    chosen: dict[str, Any] = {
        name: query[name] for name, words in offered.items() if query.get(name) in words
    }
    seats, bot = number(query.get("seats")), number(query.get("bot"))
    asked = MatchFilter(**chosen, seats=seats and min(seats, MAX_SEATS + 1), bot=bot)
    at = cursor_or_none(query.get("cursor"), queries.ORDER)
    context = {
        "page": queries.page(asked, None, queries.ORDER, at, PAGE),
        "filters": asked,
        "bot": bots.find(bot, request.user) if bot else None,
        "kinds": KINDS,
        "statuses": STATUSES,
        "seat_counts": range(1, MAX_SEATS + 1),
    }
    return page_or_fragment(
        request, "ladder/match/matches.html", "ladder/match/_page.html", context
    )


def match(request: HttpRequest, pk: int) -> HttpResponse:
    shown = queries.show(request.user, pk)
    if shown is None:
        raise Http404
    found = shown.receipt
    own = {entry.slot for entry in shown.seated if entry.is_managed_by(request.user)}
    told = broadcasts.of_match(pk) if found.status == "running" else []
    under_way = broadcasts.open_match(request.user, pk) if told else None
    took = found.finished_at - found.started_at if found.finished_at and found.started_at else None
    context = {
        "card": reverse("match-card", args=[pk]),
        "embed": oembed_of(reverse("match", args=[pk])) if shown.plays else "",
        "match": found,
        "shown": shown,
        "board": Board(found.game, found.seats),
        "ranked": sorted(shown.seated, key=lambda entry: (entry.rank or 0, entry.slot)),
        "is_rated": found.kind == "ladder" and found.status not in STRUCK,
        "is_struck": found.status in STRUCK,
        "plays": [_play(shown, play, own) for play in shown.plays],
        "clocks": playing.clocks(pk) if found.kind == "remote" else [],
        "on_air": told[-1] if told else None,
        "plays_due": len(under_way.seatings) if under_way else 0,
        "own": own,
        "rematch": _rematch(shown, own),
        "queue_time": found.started_at - found.created_at if found.started_at else None,
        "duration": took,
    }
    return page_or_fragment(request, "ladder/match/match.html", "ladder/match/_match.html", context)


def _rematch(shown: ShownMatch, own: set[int]) -> str:
    """Where to ask for this match once more, if the user has exactly one bot in it."""
    match = shown.receipt
    if not match.is_over or len(own) != 1:
        return ""
    board = Board(match.game, match.seats)
    mine = next(entry for entry in shown.seated if entry.slot in own)
    asked: dict[str, int | str] = {"own": mine.bot, "board": str(board)}
    if not board.is_solo:
        others = [entry.name for entry in shown.seated if entry.slot not in own]
        asked["opponents"] = ", ".join(others)
    return f"{reverse('challenge')}?{urlencode(asked)}"


def _play(shown: ShownMatch, play: StoredPlay, own: set[int]) -> dict[str, Any]:
    """A play as its card shows it; evidence of a fault only for the bot's author."""
    match, by_slot = shown.receipt, {entry.slot: entry for entry in shown.seated}
    by_seat = [by_slot[slot] for slot in play.seating]
    rows = [
        {
            "seat": seat,
            "entry": entry,
            "place": play.places[seat],
            "points": play.points[seat],
            "note": GAMES[match.game].rating_note(play.points[seat], match.seats),
        }
        for seat, entry in enumerate(by_seat)
    ]
    faults = [
        {
            "entry": by_seat[fault.seat],
            "seat": fault.seat,
            "sentence": fault.sentence,
            "kind": fault.kind,
            "detail": fault.detail if by_seat[fault.seat].slot in own else "",
        }
        for fault in play.evidence
    ]
    return {
        "play": play,
        "rows": sorted(rows, key=lambda row: (row["place"], row["seat"])),
        "faults": faults,
        "command": _command(match, by_seat),
    }


def _command(match: Receipt, by_seat: list[Seated]) -> str:
    """What to type to play it again: the same scripts in the same seats on the same luck."""
    scripts = [
        f"{slugify(entry.name) or 'bot'}-v{entry.version}.{entry.filename.rpartition('.')[2]}"
        for entry in by_seat
    ]
    options = [f"--option {name}={value}" for name, value in match.options.items()]
    return " ".join(["ladle play", match.game, *scripts, f"--seed {match.seed}", *options])
