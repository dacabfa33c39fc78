"""What stored analyses say about a bot, and its worst decisions as test cases."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from engine.errors import BadReplay
from engine.replay import read
from engine.studies.cases import Case, written
from ladder.boards import Board
from ladder.contract.bots import ShownBot
from ladder.contract.study.analyses import Expensive
from ladder.errors import LadderError
from ladder.queries import matches, versions
from ladder.queries.analyses import reports
from ladder.replays.stored import ReplayMissing, load
from ladder.web.http.conditional import download
from ladder.web.http.pages import bot_or_404, number


@require_safe
def analysis(request: HttpRequest, pk: int) -> HttpResponse:
    """Regret, luck and skill of a bot on one board; `?a=` and `?b=` are versions to compare."""
    bot = bot_or_404(request, pk)
    board = _board(request, bot)
    chosen = [one for name in ("a", "b") if (one := number(request.GET.get(name)))]
    found = reports.of_bot(pk, board, chosen)
    compared = [*found.compared, None, None]
    context = {
        "bot": bot,
        "board": board,
        "analysis": found,
        "selects": [("a", "Compare", compared[0]), ("b", "with", compared[1])],
        "numbers": [version.number for version in versions.accepted_of(pk)],
        "seat_counts": [seats for seats in bot.seat_counts if seats > 1],
    }
    return render(request, "ladder/bot/analysis.html", context)


@require_safe
def cases(request: HttpRequest, pk: int) -> HttpResponse:
    """The most expensive decisions as test cases for `ladle cases`."""
    bot = bot_or_404(request, pk)
    board = _board(request, bot)
    found = reports.expensive(pk, board.seats)
    made = [case for one in found if (case := _case(request, one)) is not None]
    name = f"ladle-cases-bot-{pk}-{board.seats}.json"
    return download(written(bot.game, made), "application/json", name)


def _board(request: HttpRequest, bot: ShownBot) -> Board:
    asked = request.GET.get("seats")
    several = [seats for seats in bot.seat_counts if seats > 1]
    seats = number(asked) if asked else next(iter(several), None)
    if seats is None or seats not in several:
        raise Http404
    return Board(bot.game, seats)


def _case(request: HttpRequest, one: Expensive) -> Case | None:
    """The decision with its position; None where its replay is no longer stored."""
    play = matches.play(request.user, one.match, one.play)
    if play is None:
        return None
    try:
        position = read(load(play)).position(one.before)
    except (BadReplay, LadderError, ReplayMissing):
        return None
    return Case(
        name=f"match {one.match}, play {one.play + 1}, step {one.before}",
        position=position,
        seat=one.seat,
        better=one.best,
        played=one.played,
        regret=one.regret,
        error=one.error,
        sentence=one.sentence,
    )
