"""Making and changing a tournament, with a live preview of what it will be."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from ladder.boards import Board
from ladder.contract.tournaments import ShownTournament
from ladder.errors import LadderError
from ladder.queries import limits
from ladder.services import tournaments
from ladder.tournaments import FORMATS
from ladder.web.forms import refuse
from ladder.web.http.pages import SignedInRequest
from ladder.web.http.statuses import status_of
from ladder.web.tournament.forms import TournamentForm, initial_of
from ladder.web.tournament.views import tournament_or_404


@login_required
def new(request: SignedInRequest) -> HttpResponse:
    initial = {"board": request.GET.get("board", "")}
    form = TournamentForm(request.POST or None, initial=initial)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                made = tournaments.create(
                    by=request.user, board=form.cleaned_data["board"], **form.values()
                )
                return redirect("tournament", made.pk)
            except LadderError as error:
                refuse(form, error)
                status = status_of(error)
    limit = limits.tournaments(request.user.pk)
    context = {"form": form, "preview": _filled_in(request, form), "limit": limit}
    return render(request, "ladder/tournament/form.html", context, status=status)


@login_required
def edit(request: SignedInRequest, pk: int) -> HttpResponse:
    found = tournament_or_404(request, pk)
    if not found.is_managed_by(request.user):
        raise PermissionDenied
    form = TournamentForm(request.POST or None, initial=initial_of(found), tournament=found)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                row = tournaments.visible(request.user, pk)
                tournaments.edit(tournament=row, by=request.user, **form.values())
                messages.success(request, "The changes are stored.")
                return redirect("tournament", pk)
            except LadderError as error:
                refuse(form, error)
                status = status_of(error)
    shown = _filled_in(request, form) if form.is_bound else _stored(request, found)
    board = Board(found.game, found.seats)
    context = {"form": form, "tournament": found, "board": board, "preview": shown}
    return render(request, "ladder/tournament/form.html", context, status=status)


@login_required
def preview(request: SignedInRequest) -> HttpResponse:
    """The fragment beside the form, for what is filled in so far."""
    context = {"preview": _filled_in(request, TournamentForm(request.GET))}
    return render(request, "ladder/tournament/_preview.html", context)


PreviewContext = dict[str, Any]
SETUP = ("sets", "entry", "top_count", "max_entrants")


def _filled_in(request: HttpRequest, form: TournamentForm) -> PreviewContext:
    """What the form describes so far, or what is missing."""
    if not form.is_bound:
        return {"missing": "Choose a board and a format to see what the tournament will be."}
    form.is_valid()  # what else is wrong does not matter here
    data = form.cleaned_data
    if any(data.get(name) is None for name in ("board", "format", "sets", "max_entrants")):
        return {"missing": "Fill in board, format, sets and places to see a preview."}
    setup = {name: data.get(name) for name in SETUP} | {"format_options": form.chosen_options()}
    return _planned(request, data["board"], data["format"], setup)


def _stored(request: HttpRequest, tournament: ShownTournament) -> PreviewContext:
    setup = {name: getattr(tournament, name) for name in (*SETUP, "format_options")}
    return _planned(request, Board(tournament.game, tournament.seats), tournament.format, setup)


def _planned(
    request: HttpRequest, board: Board, format: str, setup: dict[str, Any]
) -> PreviewContext:
    """Rounds, matches and time, or why it cannot be."""
    try:
        plan = tournaments.propose(by=request.user, board=board, format=format, **setup)
    except LadderError as error:
        return {"missing": str(error)}
    return {"plan": plan, "format": FORMATS[format], "board": board}
