"""Matches one asks for: challenges, and trials of an old version against a new."""

from __future__ import annotations

import math

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST

from ladder.errors import LadderError
from ladder.models import Trial
from ladder.queries import bots as queries
from ladder.queries import limits, versions
from ladder.ratings import trial as gsprt
from ladder.services import challenges, trials
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
    form = ChallengeForm(request.POST or None, user=request.user, initial=initial)
    status = 200
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            match = challenges.challenge(
                by=request.user,
                board=data["board"],
                own=data["own"],
                others=data["rivals"],
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
        "has_bots": queries.has_playing(request.user),
        "limit": limits.challenges(request.user.pk),
    }
    return render(request, "ladder/challenge/challenge.html", context, status=status)


@login_required
def trial_new(request: SignedInRequest, pk: int) -> HttpResponse:
    bot = owned_bot_or_404(request, pk)
    newest = list(versions.accepted_of(bot)[:2])
    initial = {"new": newest[0], "old": newest[-1]} if newest else {}
    form = TrialForm(request.POST or None, bot=bot, initial=initial)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            trial = trials.start(by=request.user, **form.cleaned_data)
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
    found = get_object_or_404(versions.trials(), pk=pk)
    counts = tuple(found.counts or [0] * 5)
    standing = gsprt.Trial(counts, cap=found.cap)
    most = max(counts) or 1
    low, high = standing.elo_interval
    context = {
        "trial": found,
        "bot": found.bot,
        "standing": standing,
        "elo": standing.elo if math.isfinite(standing.elo) else None,
        "low": low if math.isfinite(low) else None,
        "high": high if math.isfinite(high) else None,
        "is_running": found.status == Trial.Status.RUNNING,
        "is_owner": found.bot.is_managed_by(request.user),
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


def _gauge(llr: float) -> float:
    """Where the LLR stands on a gauge of 700 with its bounds at 50 and 650."""
    return round(min(690.0, max(10.0, 350 + 300 * llr / gsprt.BOUND)), 1)


@login_required
@require_POST
def trial_cancel(request: SignedInRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(versions.trials(), pk=pk)
    if not found.bot.is_managed_by(request.user):
        raise Http404
    if found.status == Trial.Status.RUNNING:
        trials.cancel(found)
        messages.success(request, "The trial is called off.")
    return redirect("trial", pk)
