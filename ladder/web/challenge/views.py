"""Matches one asks for: challenges, and trials of an old version against a new."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from ladder.boards import Board
from ladder.contract.trials import ShownTrial
from ladder.errors import LadderError
from ladder.queries import bots as queries
from ladder.queries import limits, versions
from ladder.ratings import trial as gsprt
from ladder.services import bots, challenges, trials
from ladder.web.challenge.forms import ChallengeForm, TrialForm
from ladder.web.forms import refuse
from ladder.web.http.pages import SignedInRequest, owned_bot_or_404, page_or_fragment
from ladder.web.http.statuses import status_of

RIVALS = 300  # offered to complete a name, of each game


@login_required
def challenge(request: SignedInRequest) -> HttpResponse:
    initial = {
        name: request.GET[name] for name in ("own", "board", "opponents") if name in request.GET
    }
    form = ChallengeForm(request.POST or None, user=request.user.pk, initial=initial)
    status = 200
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            match = challenges.challenge(
                by=request.user,
                board=data["board"],
                own=bots.own(by=request.user, pk=data["own"]),
                others=bots.named(data["rivals"]),
                seed=data["seed"],
            )
            return redirect("match", match.pk)
        except LadderError as error:
            refuse(form, error)
            status = status_of(error)
    if form.errors and status == 200:
        status = 400
    context = {
        "form": form,
        "rivals": queries.playing_names(RIVALS),
        "has_bots": queries.has_playing(request.user.pk),
        "limit": limits.challenges(request.user.pk),
    }
    return render(request, "ladder/challenge/challenge.html", context, status=status)


@login_required
def trial_new(request: SignedInRequest, pk: int) -> HttpResponse:
    bot = owned_bot_or_404(request, pk)
    accepted = versions.accepted_of(pk)
    newest = [version.number for version in accepted[:2]]
    initial = {"new": newest[0], "old": newest[-1]} if newest else {}
    form = TrialForm(request.POST or None, bot=bot, accepted=accepted, initial=initial)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            data = form.cleaned_data
            old, new = (
                bots.own_version(by=request.user, bot=pk, number=data[name])
                for name in ("old", "new")
            )
            trial = trials.start(
                by=request.user, old=old, new=new, seats=data["seats"], promote=data["promote"]
            )
            return redirect("trial", trial.pk)
        except LadderError as error:
            refuse(form, error)
            status = status_of(error)
    if form.errors and status == 200:
        status = 400
    context = {"form": form, "bot": bot, "is_possible": len(newest) > 1}
    return render(request, "ladder/challenge/trial_new.html", context, status=status)


PAIRS = ("0", "½", "1", "1½", "2")  # points the new version took from two games


def trial(request: HttpRequest, pk: int) -> HttpResponse:
    found = _trial_or_404(pk)
    counts = tuple(found.counts or [0] * 5)
    standing, most = gsprt.Trial(counts, cap=found.cap), max(counts) or 1
    context = {
        "trial": found,
        "bot": found.of,
        "board": Board(found.of.game, found.seats),
        "standing": standing,
        "is_running": found.status == "running",
        "is_owner": found.of.is_managed_by(request.user),
        "bars": [
            {
                "word": word,
                "count": count,
                "x": 20 + 136 * i,
                "middle": 20 + 136 * i + 48,
                "height": round(110 * count / most),
                "y": 130 - round(110 * count / most),
                "label_y": 122 - round(110 * count / most),
                "way": "bad" if i < 2 else "good" if i > 2 else "",
            }
            for i, (word, count) in enumerate(zip(PAIRS, counts, strict=True))
        ],
        "lucky_pass": gsprt.chance_of_a_lucky_pass(found.attempt),
        "bound": gsprt.BOUND,
        "better_elo": gsprt.BETTER_ELO,
        "llr_x": _gauge(standing.llr),
    }
    return page_or_fragment(
        request, "ladder/challenge/trial.html", "ladder/challenge/_trial.html", context
    )


def _trial_or_404(pk: int) -> ShownTrial:
    found = versions.shown_trial(pk)
    if found is None:
        raise Http404
    return found


def _gauge(llr: float) -> float:
    """Where the LLR stands on a gauge of 700 with its bounds at 50 and 650."""
    return round(min(690.0, max(10.0, 350 + 300 * llr / gsprt.BOUND)), 1)


@login_required
@require_POST
def trial_cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    found = _trial_or_404(pk)
    if not found.of.is_managed_by(request.user):
        raise Http404
    if found.status == "running":
        trials.call_off(by=request.user, pk=pk)
        messages.success(request, "The trial is called off.")
    return redirect("trial", pk)
