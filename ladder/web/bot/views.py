"""A bot's page, and what its author does with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_POST

from ladder.boards import Board
from ladder.errors import LadderError
from ladder.models import Bot, Rating, Version
from ladder.queries import bots as queries
from ladder.queries import ladders, matches, tournaments, versions
from ladder.queries.figures import figures, records
from ladder.services import bots
from ladder.web.bot.chart import history_chart
from ladder.web.http.pages import SignedInRequest, number, owned_bot_or_404, page_or_fragment

KEPT_SECONDS, RECORDS_SECONDS = 5, 30
NEWEST, LISTED = 30, 8  # results in the strip, and matches below it


def bot(request: HttpRequest, pk: int) -> HttpResponse:
    bot = get_object_or_404(queries.visible(request.user), pk=pk)
    ratings = queries.ratings_now(bot)
    board = _chosen_board(bot, request.GET.get("seats"), ratings)
    live = _live_html(bot, board, ratings.get(board.seats))
    if request.headers.get("HX-Request") == "true":
        response = HttpResponse(live)
    else:
        own_versions = list(versions.of_bot(bot))
        context = {
            "bot": bot,
            "board": board,
            "ratings": [ratings.get(seats) or Rating(seats=seats) for seats in bot.seat_counts],
            "live": live,
            "is_owner": bot.is_managed_by(request.user),
            "rest": settings.RETIRED_REST,
            "in_a_tab": _in_a_tab(bot, request.user),
            "versions": own_versions,
            "records": cache.get_or_set(
                f"records:{pk}:{bot.active_version_id}",
                lambda: records(version.pk for version in own_versions),
                RECORDS_SECONDS,
            ),
            "history": queries.tournaments_of(bot, 10),
            "trials": versions.newest_trials(bot, 5),
        }
        response = render(request, "ladder/bot/bot.html", context)
    patch_vary_headers(response, ["HX-Request"])
    return response


def _in_a_tab(bot: Bot, user: Any) -> Version | None:
    """The version that this reader can play against in a tab, and open in the workshop."""
    version = bot.active_version
    if version is None or not version.runs_in_a_tab or not bot.shows_source_to(user):
        return None
    return version


def _live_html(bot: Bot, board: Board, rating: Rating | None) -> str:
    """The part of the page that changes by itself, the same for every reader; kept for a while."""
    key = f"bot:{bot.pk}:{board.seats}:{bot.active_version_id}"
    html: str | None = cache.get(key)
    if html is None:
        newest = matches.of_bot(bot.pk, NEWEST, game=board.game, seats=board.seats)
        context = {
            "bot": bot,
            "board": board,
            "rating": rating,
            "rank": _rank(board, rating),
            "strip": newest,
            "rows": newest[:LISTED],
            "figures": figures(bot, board),
            "chart": history_chart(bot, board, rating),
        }
        html = render_to_string("ladder/bot/_live.html", context)
        cache.set(key, html, KEPT_SECONDS)
    return html


def _chosen_board(bot: Bot, seats: str | None, ratings: dict[int, Rating]) -> Board:
    chosen = number(seats)
    if chosen is not None and chosen in bot.seat_counts:
        return Board(bot.game, chosen)
    played = [s for s in bot.seat_counts if s in ratings and ratings[s].sets]
    return Board(bot.game, (played or bot.seat_counts)[0])


def _rank(board: Board, rating: Rating | None) -> int | None:
    if rating is None or rating.is_provisional or not rating.is_listed:
        return None
    return ladders.rank(board, rating.milli, rating.version_id)


@login_required
def my_bots(request: SignedInRequest) -> HttpResponse:
    own = queries.own(request.user)
    by_bot, newest = queries.ratings_by_bot(own), versions.newest_by_bot(own)
    played = records(bot.active_version_id for bot in own if bot.active_version_id is not None)
    benched = versions.benched_by_bot(own)
    rows = [
        {
            "bot": bot,
            "ratings": by_bot.get(bot.pk, []),
            "newest": newest.get(bot.pk),
            "records": played.get(bot.active_version_id or 0, []),
            "benched": benched.get(bot.pk),
        }
        for bot in own
    ]
    context = {
        "rows": rows,
        "invitations": tournaments.invitations(request.user),
        "check_ins": tournaments.check_ins(request.user),
    }
    return page_or_fragment(request, "ladder/bot/my_bots.html", "ladder/bot/_my_bots.html", context)


@login_required
@require_POST
def act(request: SignedInRequest, pk: int) -> HttpResponse:
    """One of the author's acts on a bot, named by the button pressed."""
    bot = owned_bot_or_404(request, pk)
    verb = ACTS.get(request.POST.get("act", ""))
    if verb is None:
        raise Http404
    try:
        messages.success(request, verb(request, bot))
    except LadderError as error:
        messages.error(request, str(error))
    return redirect("bot", pk)


def _rename(request: HttpRequest, bot: Bot) -> str:
    old = bot.name
    bots.rename(bot=bot, name=request.POST.get("name", ""))
    return f"{old} is now called {bot.name}."


def _show_source(request: HttpRequest, bot: Bot) -> str:
    is_public = request.POST.get("public") == "1"
    bots.set_source_public(bot=bot, is_public=is_public)
    return f"The source of {bot.name} is now {'public' if is_public else 'private'}."


def _activate(request: HttpRequest, bot: Bot) -> str:
    chosen = number(request.POST.get("version")) or 0
    version = get_object_or_404(versions.of_bot(bot), number=chosen)
    bots.activate(version=version)
    return f"Version {version.number} of {bot.name} plays from now on."


def _retire(request: HttpRequest, bot: Bot) -> str:
    bots.retire(bot=bot)
    return f"{bot.name} is retired. Its matches stay in the record."


def _bring_back(request: SignedInRequest, bot: Bot) -> str:
    bots.bring_back(bot=bot, by=request.user)
    return f"{bot.name} is back."


ACTS: dict[str, Callable[[SignedInRequest, Any], str]] = {
    "rename": _rename,
    "source": _show_source,
    "activate": _activate,
    "retire": _retire,
    "bring-back": _bring_back,
}
