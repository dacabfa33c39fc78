"""Which CI workflows may submit a bot."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from ladder.errors import LadderError, Missing
from ladder.queries import publishing as queries
from ladder.services import bots
from ladder.services.publishing import trusted
from ladder.web.http.pages import SignedInRequest, number, owned_bot_or_404
from ladder.web.http.statuses import status_of

FIELDS = ("repository", "repository_id", "workflow", "environment")


@login_required
def publishing(request: SignedInRequest, pk: int) -> HttpResponse:
    """The workflows that are trusted, and a form to add one."""
    shown = owned_bot_or_404(request, pk)
    asked = {name: request.POST.get(name, "") for name in FIELDS}
    problem, status = "", 200
    if request.method == "POST":
        bot = bots.own(by=request.user, pk=pk)
        try:
            if "remove" in request.POST:
                trusted.remove(bot=bot, pk=number(request.POST["remove"]) or 0)
                messages.success(request, "The workflow may no longer submit this bot.")
            else:
                added = trusted.add(bot=bot, **asked)
                messages.success(request, f"Jobs of {added} may submit {bot.name} now.")
            return redirect("bot-publishing", pk)
        except Missing:
            raise Http404 from None
        except LadderError as error:
            problem, status = str(error), status_of(error)
    context = {
        "bot": shown,
        "publishers": queries.of_bot(pk),
        "asked": asked,
        "problem": problem,
        "is_on": bool(settings.TRUSTED_ISSUERS),
        "audience": trusted.audience(),
    }
    return render(request, "ladder/bot/publishing.html", context, status=status)
