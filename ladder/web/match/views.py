"""Matches: the list, and the receipt of one."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.text import slugify

from engine.games import GAMES, MAX_SEATS
from ladder.models import Entry, Match, Play
from ladder.queries import bots, broadcasts
from ladder.queries import matches as queries
from ladder.web.http.pages import cursor_or_none, number, page_or_fragment

PAGE = 30


def matches(request: HttpRequest) -> HttpResponse:
    query = request.GET
    filters: dict[str, Any] = {}
    if query.get("game") in GAMES:
        filters["game"] = query["game"]
    if seats := number(query.get("seats")):
        filters["seats"] = min(seats, 99)
    if query.get("kind") in Match.SHOWN_KINDS:
        filters["kind"] = query["kind"]
    if query.get("status") in Match.Status.values:
        filters["status"] = query["status"]
    bot = number(query.get("bot"))
    at = cursor_or_none(query.get("cursor"), queries.ORDER)
    context = {
        "page": queries.page(filters, bot, at, PAGE),
        "filters": filters,
        "bot": bots.find(bot, request.user) if bot else None,
        "kinds": Match.SHOWN_KINDS,
        "statuses": Match.Status.values,
        "seat_counts": range(1, MAX_SEATS + 1),
    }
    return page_or_fragment(
        request, "ladder/match/matches.html", "ladder/match/_page.html", context
    )


def match(request: HttpRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(queries.receipt(request.user), pk=pk)
    own = {entry.slot for entry in found.entries.all() if entry.bot.is_managed_by(request.user)}
    ranked = _ranked(found)
    told = broadcasts.of_match(found) if found.status == Match.Status.RUNNING else []
    context = {
        "match": found,
        "ranked": ranked,
        "is_rated": found.is_rated and found.status not in queries.STRUCK,
        "is_struck": found.status in queries.STRUCK,
        "plays": [_play(found, play, own) for play in found.plays.all()],
        "on_air": told[-1] if told else None,
        "plays_due": len(broadcasts.seatings(found)) if told else 0,
        "own": own,
        "is_drawn": len(ranked) > 1 and all(rank == 1 for rank, _ in ranked),
        "rematch": _rematch(found, own),
        "queue_time": found.started_at - found.created_at if found.started_at else None,
    }
    return page_or_fragment(request, "ladder/match/match.html", "ladder/match/_match.html", context)


def _rematch(match: Match, own: set[int]) -> str:
    """Where to ask for this match once more, for who has one bot of their own in it."""
    entries = list(match.entries.all())
    if not match.is_over or len(own) != 1 or match.kind == Match.Kind.CHECK:
        return ""
    mine = next(entry for entry in entries if entry.slot in own)
    others = [entry.bot.name for entry in entries if entry.slot not in own]
    asked: dict[str, int | str] = {"own": mine.bot_id, "board": str(match.board)}
    if not match.board.is_solo:
        asked["opponents"] = ", ".join(others)
    return f"{reverse('challenge')}?{urlencode(asked)}"


def _ranked(match: Match) -> list[tuple[int | None, Entry]]:
    """The entries, best first, each with its place; those level share one."""
    entries = list(match.entries.all())
    ranks = match.board.ranks([(entry.place, entry.points) for entry in entries])
    return sorted(zip(ranks, entries, strict=True), key=lambda row: (row[0] or 0, row[1].slot))


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
        f"{slugify(entry.bot.name) or 'bot'}-v{entry.version.number}"
        f".{entry.version.filename.rpartition('.')[2]}"
        for entry in by_seat
    ]
    options = [f"--option {name}={value}" for name, value in match.options.items()]
    return " ".join(["ladle play", match.game, *scripts, f"--seed {match.seed}", *options])
