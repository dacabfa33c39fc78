"""The list of tournaments, a tournament's page, what is done there, and its results."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_POST

from engine.games import GAMES
from ladder.boards import Board
from ladder.contract.bots import ShownBot
from ladder.contract.tournaments import Card, ShownEntrant, ShownTournament
from ladder.errors import Code, LadderError, NotAllowed
from ladder.queries import bots
from ladder.queries import tournaments as queries
from ladder.services import tournaments as service
from ladder.services.bots import named
from ladder.services.tournaments.planning import seat_counts_needed
from ladder.tournaments import FORMATS, Format
from ladder.web.http.pages import (
    SignedInRequest,
    cursor_or_none,
    number,
    page_or_fragment,
    words,
)
from ladder.web.tournament.sheets import Sheet, sheet_of

KEPT_SECONDS = 2
MOST_ROUNDS = 1000
CUPS_ON_A_PAGE = 28


def tournaments(request: HttpRequest) -> HttpResponse:
    found = queries.cards(request.user)
    parts = [
        ("Running", found.running),
        ("Open for enrolment", found.upcoming),
        ("Past", found.past),
    ]
    shown = [(title, [_card(one) for one in cards]) for title, cards in parts]
    return render(request, "ladder/tournament/list.html", {"sections": shown})


def cups(request: HttpRequest) -> HttpResponse:
    """The archive of the daily cups."""
    at = cursor_or_none(request.GET.get("cursor"), queries.NEWEST)
    page = queries.cups(at, CUPS_ON_A_PAGE).of(_card)
    context = {"page": page, "is_held": settings.DAILY_CUPS, "hour": settings.CUP_HOUR}
    return render(request, "ladder/tournament/cups.html", context)


def _card(one: Card) -> dict[str, Any]:
    format_, board = FORMATS[one.format].title, Board(one.game, one.seats)
    return {"tournament": one, "format": format_, "board": board}


def tournament_or_404(request: HttpRequest, pk: int) -> ShownTournament:
    """One that this visitor may see; a private one does not exist for strangers."""
    found = queries.find(request.user, pk)
    if found is None:
        raise Http404
    return found


def tournament(request: HttpRequest, pk: int) -> HttpResponse:
    found = tournament_or_404(request, pk)
    format_, board = FORMATS[found.format], Board(found.game, found.seats)
    enrolments = queries.entrants(pk)
    opens = found.check_in_from
    context = {
        "tournament": found,
        "card": reverse("tournament-card", args=[pk]) if found.is_public else "",
        "board": board,
        "format": format_,
        "options": _options(found, format_),
        "sheet": _sheet(found, number(request.GET.get("round"))),
        "is_live": found.status == "running",
        "enrolments": enrolments,
        "entrant_count": sum(one.status == "enrolled" for one in enrolments),
        "is_organiser": found.is_managed_by(request.user),
        "is_enrolling": found.status == "enrolling",
        "is_checking_in": opens and opens <= timezone.now() and not found.has_begun,
        "absent": [one for one in enrolments if one.status == "absent"],
        "is_manual": found.seeding == "manual",
    }
    if request.user.is_authenticated and not found.is_over:
        own = [one for one in enrolments if one.owner_id == request.user.pk]
        context["own_enrolments"] = own
        if context["is_enrolling"] and found.entry != "top":
            context["own_bots"] = _own_bots(request.user.pk, board, own)
    response = page_or_fragment(
        request, "ladder/tournament/page.html", "ladder/tournament/_live.html", context
    )
    if not context["is_live"]:
        # Only a running one is polled. What else the page offers is outdated: reload it.
        response["HX-Refresh"] = "true"
    return response


def _sheet(found: ShownTournament, wanted_round: int | None) -> Sheet:
    """The same for everybody, so that many who watch cost little more than one."""
    if not found.has_begun:
        return Sheet()
    if wanted_round is not None and wanted_round > MOST_ROUNDS:
        wanted_round = None
    key = f"tournament:{found.commitment}:{found.steps}:{found.status}:{wanted_round}"

    def make() -> Sheet:
        return sheet_of(queries.begun(found), wanted_round)

    return cache.get_or_set(key, make, KEPT_SECONDS) or make()


def _options(found: ShownTournament, format_: Format) -> list[tuple[str, str]]:
    """What the organiser chose, in words; what follows from the board is left out."""
    chosen = []
    for option in format_.options:
        value = found.format_options.get(option.name, option.default)
        if option.is_shown:
            chosen.append((option.description, option.in_words(value)))
    return chosen


def _own_bots(user: int, board: Board, own: list[ShownEntrant]) -> list[ShownBot]:
    """Bots of the visitor that could be enrolled now."""
    known = {one.bot for one in own if one.status != "withdrawn"}
    needed = set(seat_counts_needed(board))
    playing = bots.playing_of(user, board)
    return [bot for bot in playing if needed <= set(bot.seat_counts) and bot.id not in known]


def results_json(request: HttpRequest, pk: int) -> HttpResponse:
    found = service.visible(request.user, pk)
    response = JsonResponse(service.as_record(found), json_dumps_params={"indent": 1})
    response["Content-Disposition"] = f'attachment; filename="{_filename(pk, found.name)}.json"'
    return response


def results_csv(request: HttpRequest, pk: int) -> HttpResponse:
    found = service.visible(request.user, pk)
    response = HttpResponse(service.as_csv(found), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{_filename(pk, found.name)}.csv"'
    return response


def _filename(pk: int, name: str) -> str:
    return f"tournament-{pk}-{slugify(name)}".rstrip("-")


@login_required
@require_POST
def act(request: SignedInRequest, pk: int) -> HttpResponse:
    """One act of an organiser or a bot's owner, then back to the page with a sentence."""
    found = tournament_or_404(request, pk)
    do = ACTS.get(request.POST.get("act", ""))
    if do is None:
        raise Http404
    try:
        messages.success(request, do(request, found))
    except NotAllowed as error:
        raise PermissionDenied(str(error)) from None
    except LadderError as error:
        messages.error(request, str(error))
    return redirect("tournament", pk)


def _bot(request: HttpRequest, found: ShownTournament, field: str = "bot") -> int:
    """The bot a form names, by its number or its name."""
    text = words(request.POST.get(field), 40)
    number = bots.number_named(found.game, text)
    if number is None:
        raise LadderError(
            f"No bot of {GAMES[found.game].title} is called “{text}”.", code=Code.UNKNOWN_BOT
        )
    return number


def _do(
    request: SignedInRequest, found: ShownTournament, verb: Callable[..., object], **more: Any
) -> None:
    verb(tournament=service.visible(request.user, found.id), by=request.user, **more)


def _enrol(request: SignedInRequest, found: ShownTournament) -> str:
    bot = named([_bot(request, found)])[0]
    _do(request, found, service.enrol, bot=bot)
    return f"{bot.name} takes part."


def _check_in(request: SignedInRequest, found: ShownTournament) -> str:
    bot = named([_bot(request, found)])[0]
    _do(request, found, service.check_in, bot=bot)
    return f"{bot.name} is checked in for {found.name}."


def _invite(request: SignedInRequest, found: ShownTournament) -> str:
    bot = named([_bot(request, found)])[0]
    _do(request, found, service.invite, bot=bot)
    return f"{bot.name} is invited; {bot.owner.username} decides."


def _withdraw(request: SignedInRequest, found: ShownTournament) -> str:
    bot = named([_bot(request, found)])[0]
    _do(request, found, service.withdraw, bot=bot)
    return f"{bot.name} has withdrawn."


def _disqualify(request: SignedInRequest, found: ShownTournament) -> str:
    bot = named([_bot(request, found)])[0]
    _do(request, found, service.disqualify, bot=bot)
    return f"{bot.name} is disqualified."


def _replace(request: SignedInRequest, found: ShownTournament) -> str:
    old, new = named([_bot(request, found), _bot(request, found, "new")])
    _do(request, found, service.replace, old=old, new=new)
    return f"{new.name} takes the place of {old.name}."


def _seed(request: SignedInRequest, found: ShownTournament) -> str:
    (bot,), seed = named([_bot(request, found)]), number(request.POST.get("seed"))
    _do(request, found, service.set_seed, bot=bot, seed=seed or 0)
    return f"{bot.name} is seed {seed}."


def _seeds(request: SignedInRequest, found: ShownTournament) -> str:
    """All seeds of a form at once, the lowest first: who had one swaps."""
    typed = {
        bot: number(request.POST.get(name))
        for name in request.POST
        if name.startswith("seed-") and (bot := number(name.removeprefix("seed-"))) is not None
    }
    known = {one.bot for one in queries.entrants(found.id)}
    given = sorted((seed, bot) for bot, seed in typed.items() if seed and bot in known)
    if not given:
        raise LadderError("Enter at least one seed.", code=Code.BAD_SEED)
    if len({seed for seed, _ in given}) < len(given):
        raise LadderError("Two entrants have the same seed.", code=Code.BAD_SEED)
    with transaction.atomic():
        for seed, bot in given:
            _do(request, found, service.set_seed, bot=named([bot])[0], seed=seed)
    return "One seed is set." if len(given) == 1 else f"{len(given)} seeds are set."


def _start(request: SignedInRequest, found: ShownTournament) -> str:
    _do(request, found, service.start)
    return f"{found.name} has started. Its matches are played and its rounds drawn automatically."


def _pause(request: SignedInRequest, found: ShownTournament) -> str:
    _do(request, found, service.pause, why=words(request.POST.get("why"), 200))
    return f"{found.name} is paused. Matches already in the queue are still played."


def _resume(request: SignedInRequest, found: ShownTournament) -> str:
    _do(request, found, service.resume)
    return f"{found.name} continues."


def _cancel(request: SignedInRequest, found: ShownTournament) -> str:
    _do(request, found, service.cancel, why=words(request.POST.get("why"), 200))
    return f"{found.name} is cancelled."


ACTS: dict[str, Callable[[SignedInRequest, ShownTournament], str]] = {
    "enrol": _enrol,
    "check-in": _check_in,
    "invite": _invite,
    "withdraw": _withdraw,
    "disqualify": _disqualify,
    "replace": _replace,
    "seed": _seed,
    "seeds": _seeds,
    "start": _start,
    "pause": _pause,
    "resume": _resume,
    "cancel": _cancel,
}
