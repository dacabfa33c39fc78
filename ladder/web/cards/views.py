"""The cards' addresses. They answer everyone alike: what strangers may not see has no card of its
own, and no cookie is read."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from engine.errors import BadSetup
from ladder.boards import Board
from ladder.errors import LadderError
from ladder.queries import badges, bots, kept_plays, ladders, matches, tournaments
from ladder.replays.stored import Recorded, ReplayMissing, load
from ladder.web.bot.avatar import avatar
from ladder.web.cards import making
from ladder.web.cards.layout import NEUTRAL, Card, Line, PlayShown
from ladder.web.feeds.badge import in_words
from ladder.web.http import counting
from ladder.web.http.addresses import client_address
from ladder.web.http.conditional import conditional
from ladder.web.http.pages import number

STRANGER = AnonymousUser()
FRESH_SECONDS = 300  # what a card says may change: ranks, standings
LISTED = 5
MOST_STEPS = 9999

Replay = Callable[[], bytes]


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    shown = matches.receipt(STRANGER, pk)
    if shown is None:
        return _answer(request, None)
    board = Board(shown.game, shown.seats)
    ranked = sorted(shown.entries, key=lambda entry: (entry.rank or 0, entry.slot))
    points = board.rules.points_name
    lines = tuple(Line(entry.name, _mean(entry.points)) for entry in ranked)
    words = f"Mean {points} over {len(shown.plays)} plays" if len(shown.plays) > 1 else ""
    card = Card(
        kicker=board.title,
        title=f"Match {pk}",
        lines=lines,
        words=words if shown.status == "finished" else shown.status.capitalize(),
    )
    play = matches.play(STRANGER, pk, 0) if shown.plays else None
    return _of_play(request, card, play, board.game, None)


@require_safe
def play(request: HttpRequest, pk: int, index: int) -> HttpResponse:
    """A play at the step that `step` says, or else at its end."""
    found = matches.play(STRANGER, pk, index)
    if found is None:
        return _answer(request, None)
    board = Board(found.game, found.match_seats)
    by_slot = matches.seated_at(pk)
    step = _step(request)
    points = [""] * board.seats if step is not None else [str(one) for one in found.points]
    lines = tuple(
        Line(by_slot[slot].name, points[seat], seat) for seat, slot in enumerate(found.seating)
    )
    words = f"{found.reason.capitalize()}." if step is None else ""
    card = Card(
        kicker=board.title, title=f"Play {index + 1} of match {pk}", lines=lines, words=words
    )
    return _of_play(request, card, found, board.game, step)


@require_safe
def kept_play(request: HttpRequest, pk: int) -> HttpResponse:
    found = kept_plays.find(pk)
    if found is None:
        return _answer(request, None)
    board = Board(found.game, found.seats)
    step = _step(request)
    lines = tuple(
        Line(one.name, "" if step is not None else str(one.points), seat)
        for seat, one in enumerate(found.seated)
    )
    words = "Played in the browser."
    title = f"{found.owner or 'A guest'} at {board.rules.title}"
    card = Card(kicker=board.title, title=title, lines=lines, words=words)
    return _of_play(request, card, found, board.game, step)


@require_safe
def bot(request: HttpRequest, pk: int) -> HttpResponse:
    found = bots.find(pk, STRANGER)
    if found is None or not found.is_public:
        return _answer(request, None)
    told = [(seats, badges.badge(pk, seats)) for seats in found.seat_counts[:LISTED]]
    lines = tuple(
        Line(Board(found.game, seats).table.capitalize(), in_words(badge))
        for seats, badge in told
        if badge is not None
    )
    kicker = f"{found.rules.title} · a bot by {found.owner}"
    words = found.description.split("\n")[0] if found.description else ""
    return _answer(
        request,
        Card(kicker=kicker, title=found.name, lines=lines, words=words, avatar=found.name),
    )


@require_safe
def board(request: HttpRequest, slug: str, seats: int) -> HttpResponse:
    try:
        found = Board.parse(slug, seats)
    except BadSetup:
        return _answer(request, None)
    best = ladders.podium(found, LISTED).best
    lines = tuple(
        Line(f"{rank}. {row.bot.name}", f"{row.elo:.0f}") for rank, row in enumerate(best, 1)
    )
    words = "" if lines else "No bot is ranked here yet."
    card = Card(kicker=f"Ladder · {found.table}", title=found.rules.title, lines=lines, words=words)
    return _answer(request, card)


@require_safe
def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    found = tournaments.find(STRANGER, pk)
    if found is None or not found.is_public:
        return _answer(request, None)
    entrants = [one for one in tournaments.public_entrants(pk) if one.status == "enrolled"]
    placed = sorted(
        (one for one in entrants if one.final_rank is not None),
        key=lambda one: (one.final_rank or 0, one.seed or 0),
    )
    lines = tuple(Line(f"{one.final_rank}. {one.name}", one.owner) for one in placed[:LISTED])
    state = f"{len(entrants)} bots, {found.status}"
    card = Card(
        kicker=f"Tournament · {Board(found.game, found.seats).title}",
        title=found.name,
        lines=lines,
        words=state,
    )
    return _answer(request, card)


def _mean(points: float | None) -> str:
    return "" if points is None else f"{points:.1f}".removesuffix(".0")


def _step(request: HttpRequest) -> int | None:
    step = number(request.GET.get("step"))
    return None if step is None else min(step, MOST_STEPS)


def _of_play(
    request: HttpRequest,
    card: Card,
    found: Recorded | None,
    game: str,
    step: int | None,
) -> HttpResponse:
    if found is None or not found.file:  # not played yet, or no longer kept
        return _answer(request, card)
    shown = PlayShown(game, found.digest, step)
    card = Card(card.title, card.kicker, card.lines, card.words, shown)
    return _answer(request, card, lambda: load(found))


def _no_replay() -> bytes:
    raise ReplayMissing


def _answer(request: HttpRequest, card: Card | None, replay: Replay = _no_replay) -> HttpResponse:
    """A card; the same neutral one for whatever is private, deleted or was never there."""
    card = card or NEUTRAL
    tag = making.tag_of(card)
    response = conditional(request, tag, lambda: _made(request, card, tag, replay))
    if response.status_code in (200, 304):
        response["Cache-Control"] = f"public, max-age={FRESH_SECONDS}"
        response["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def _made(request: HttpRequest, card: Card, tag: str, replay: Replay) -> HttpResponse:
    content = making.kept(tag)
    if content is None:
        most, window_s = counting.rate(settings.RATE_CARDS)
        key = counting.key_of("cards", client_address(request))
        if counting.count(key, window_s) > most:
            return _later(429, window_s)
        picture = avatar(card.avatar) if card.avatar else ""
        try:
            content = making.make(card, tag, replay, picture)
        except making.Busy:
            return _later(503, making.WAITING_SECONDS)
        except (ReplayMissing, LadderError):
            return _answer(request, None)
    return HttpResponse(content, content_type="image/png")


def _later(status: int, seconds: int) -> HttpResponse:
    response = HttpResponse("Too many cards at once; ask again later.\n", "text/plain", status)
    response["Retry-After"] = str(seconds)
    return response
