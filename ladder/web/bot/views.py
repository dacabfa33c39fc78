"""A bot's page, and what its author does with it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST

from ladder.boards import Board
from ladder.contract.accounts import Reader
from ladder.contract.bots import OwnBoard, ShownBot, ShownRating, ShownVersion
from ladder.errors import LadderError, Missing
from ladder.queries import bots as queries
from ladder.queries import dashboards, ladders, leagues, matches, remote, tournaments, versions
from ladder.queries.analyses import reports
from ladder.queries.figures import figures, records
from ladder.queries.remote import standings
from ladder.ratings.intervals import interval_in_words
from ladder.services import bots
from ladder.services.publishing import profiles
from ladder.web.bot.chart import history_chart
from ladder.web.embed.oembed import oembed_of
from ladder.web.http.pages import (
    SignedInRequest,
    bot_or_404,
    number,
    owned_bot_or_404,
    page_or_fragment,
)
from ladder.web.svg import spark

KEPT_SECONDS, RECORDS_SECONDS = 5, 30
NEWEST, LISTED = 30, 8  # results in the strip, and matches below it
STRIP = 8  # results of each bot on a dashboard


def bot(request: HttpRequest, pk: int) -> HttpResponse:
    bot = bot_or_404(request, pk)
    ratings = queries.ratings_now(bot)
    board = _chosen_board(bot, request.GET.get("seats"), ratings)
    live = _live_html(bot, board, ratings.get(board.seats))
    if request.headers.get("HX-Request") == "true":
        response = HttpResponse(live)
    else:
        own_versions = versions.of_bot(pk)
        context = {
            "bot": bot,
            "board": board,
            "ratings": [(seats, ratings.get(seats)) for seats in bot.seat_counts],
            "live": live,
            "card": reverse("bot-card", args=[pk]) if bot.is_public else "",
            "embed": oembed_of(reverse("bot", args=[pk])) if bot.is_public else "",
            "remote": (found := remote.find(pk)),
            "open_ratings": standings.of_bot(pk) if found else [],
            "is_owner": bot.is_managed_by(request.user),
            "rest": settings.RETIRED_REST,
            "in_a_tab": _in_a_tab(bot, own_versions, request.user),
            "versions": own_versions,
            "records": cache.get_or_set(
                f"records:{pk}:{bot.playing}",
                lambda: records(version.id for version in own_versions),
                RECORDS_SECONDS,
            ),
            "expensive": reports.expensive(pk, board.seats) if board.seats > 1 else [],
            "history": queries.tournaments_of(pk, 10),
            "trials": versions.newest_trials(pk, 5),
        }
        response = render(request, "ladder/bot/bot.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _in_a_tab(bot: ShownBot, own: list[ShownVersion], reader: Reader) -> ShownVersion | None:
    """The version that this reader can play against in a tab, and open in the workshop."""
    playing = [version for version in own if version.is_active and version.runner]
    return playing[0] if playing and bot.shows_source_to(reader) else None


def _live_html(bot: ShownBot, board: Board, rating: ShownRating | None) -> str:
    """The part of the page that updates itself, the same for every reader; cached for a while."""
    key = f"bot:{bot.id}:{board.seats}:{bot.playing}"
    html: str | None = cache.get(key)
    if html is None:
        newest = matches.of_bot(bot.id, NEWEST, board)
        context = {
            "bot": bot,
            "board": board,
            "rating": rating,
            "interval": rating and interval_in_words(rating.elo, rating.low, rating.high),
            "rank": _rank(board, rating),
            "league": leagues.of_bot(bot, board, rating),
            "strip": newest,
            "rows": newest[:LISTED],
            "figures": figures(bot.id, board),
            "chart": history_chart(bot, board, rating),
        }
        html = render_to_string("ladder/bot/_live.html", context)
        cache.set(key, html, KEPT_SECONDS)
    return html


def _chosen_board(bot: ShownBot, seats: str | None, ratings: dict[int, ShownRating]) -> Board:
    chosen = number(seats)
    if chosen is not None and chosen in bot.seat_counts:
        return Board(bot.game, chosen)
    played = [s for s in bot.seat_counts if s in ratings and ratings[s].sets]
    main = max(played, key=lambda s: (ratings[s].sets, -s), default=bot.seat_counts[0])
    return Board(bot.game, main)


def _rank(board: Board, rating: ShownRating | None) -> int | None:
    if rating is None or rating.is_provisional or not rating.is_listed:
        return None
    return ladders.rank(board, round(1000 * rating.elo), rating.version_id)


@login_required
def my_bots(request: SignedInRequest) -> HttpResponse:
    own = queries.own(request.user.pk)
    ids = [bot.id for bot in own]
    by_bot, newest = dashboards.boards_of(ids), versions.newest_by_bot(ids)
    played = records(bot.playing for bot in own if bot.playing is not None)
    benched = versions.benched_by_bot(ids)
    rows = [
        {
            "bot": bot,
            "boards": [_own_board(line) for line in by_bot.get(bot.id, [])],
            **_on_main_board(bot, by_bot.get(bot.id, [])),
            "newest": newest.get(bot.id),
            "records": played.get(bot.playing or 0, []),
            "benched": benched.get(bot.id),
        }
        for bot in own
    ]
    # Only the author may know that a check failed, and the stream has only what everyone may.
    is_checking = any(row["newest"] and row["newest"].status == "checking" for row in rows)
    playing = [str(bot.id) for bot in own if bot.playing is not None]
    context = {
        "rows": rows,
        "follows": "" if is_checking else ",".join(playing),
        "invitations": tournaments.invitations(request.user.pk),
        "check_ins": tournaments.check_ins(request.user.pk),
    }
    return page_or_fragment(request, "ladder/bot/my_bots.html", "ladder/bot/_my_bots.html", context)


def _own_board(line: OwnBoard) -> dict[str, Any]:
    path, way = spark(line.trend)
    return {"line": line, "trend": path, "way": way}


def _on_main_board(bot: ShownBot, lines: list[OwnBoard]) -> dict[str, Any]:
    """Newest results and the next rival, on the board where it has played most; cached a while."""
    if not lines:
        return {}
    main = lines[0]
    board = Board(main.game, main.seats)
    found = cache.get_or_set(
        f"dashboard:{bot.id}:{main.seats}:{main.rank}",
        lambda: {
            "main": main,
            "strip": matches.of_bot(bot.id, STRIP, board),
            "rival": dashboards.rival_above(main, bot.id),
        },
        RECORDS_SECONDS,
    )
    return found or {}


@login_required
@require_POST
def act(request: SignedInRequest, pk: int) -> HttpResponse:
    """One of the author's acts on a bot, named by the button pressed."""
    owned_bot_or_404(request, pk)
    verb = ACTS.get(request.POST.get("act", ""))
    if verb is None:
        raise Http404
    try:
        messages.success(request, verb(request, pk))
    except Missing:
        raise Http404 from None
    except LadderError as error:
        messages.error(request, str(error))
    return redirect("bot", pk)


def _rename(request: SignedInRequest, pk: int) -> str:
    bot = bots.own(by=request.user, pk=pk)
    old = bot.name
    bots.rename(bot=bot, name=request.POST.get("name", ""))
    return f"{old} is now called {bot.name}."


def _show_source(request: SignedInRequest, pk: int) -> str:
    bot, is_public = bots.own(by=request.user, pk=pk), request.POST.get("public") == "1"
    bots.set_source_public(bot=bot, is_public=is_public)
    return f"The source of {bot.name} is now {'public' if is_public else 'private'}."


def _describe(request: SignedInRequest, pk: int) -> str:
    bot = bots.own(by=request.user, pk=pk)
    told = {name: request.POST.get(name, "") for name in ("description", "homepage", "licence")}
    tags = re.split(r"[,\s]+", request.POST.get("tags", ""))
    profiles.describe(bot=bot, **told, tags=tags)
    return f"The page of {bot.name} is updated."


def _meet_remote(request: SignedInRequest, pk: int) -> str:
    bot, is_willing = bots.own(by=request.user, pk=pk), request.POST.get("willing") == "1"
    bots.set_meets_remote(bot=bot, is_willing=is_willing)
    return f"{bot.name} {'plays' if is_willing else 'no longer plays'} remote bots."


def _activate(request: SignedInRequest, pk: int) -> str:
    chosen = number(request.POST.get("version")) or 0
    version = bots.own_version(by=request.user, bot=pk, number=chosen)
    bots.activate(version=version)
    return f"Version {version.number} of {version.bot.name} plays from now on."


def _retire(request: SignedInRequest, pk: int) -> str:
    bot = bots.own(by=request.user, pk=pk)
    bots.retire(bot=bot)
    return f"{bot.name} is retired. Its matches stay in the record."


def _bring_back(request: SignedInRequest, pk: int) -> str:
    bot = bots.own(by=request.user, pk=pk)
    bots.bring_back(bot=bot, by=request.user)
    return f"{bot.name} is back."


ACTS: dict[str, Callable[[SignedInRequest, int], str]] = {
    "rename": _rename,
    "source": _show_source,
    "describe": _describe,
    "meet-remote": _meet_remote,
    "activate": _activate,
    "retire": _retire,
    "bring-back": _bring_back,
}
