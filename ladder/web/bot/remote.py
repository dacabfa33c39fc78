"""Remote bots on the site: making one, what its owner sets, and its token."""

from __future__ import annotations

from typing import Any

import msgspec
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from engine.games import GAMES
from ladder.contract.remote import Remote, Tempo
from ladder.errors import LadderError
from ladder.queries import limits
from ladder.queries import remote as queries
from ladder.services.remote import bots
from ladder.web.bot.forms import GameRadio, seat_choices
from ladder.web.forms import refuse
from ladder.web.http.pages import SignedInRequest, owned_bot_or_404
from ladder.web.http.statuses import status_of

TEMPOS = {
    Tempo.FAST: "Fast: a minute per play",
    Tempo.NORMAL: "Normal: ten minutes per play",
    Tempo.SLOW: "Slow: an hour per play, for language models",
}


class RemoteForm(forms.Form):
    """What the owner of a remote bot sets."""

    description = forms.CharField(
        label="Description",
        max_length=bots.MOST_DESCRIPTION,
        required=False,
        help_text="Model and hardware, in your words. Everybody can read it.",
    )
    tempo = forms.ChoiceField(
        label="Time",
        choices=[(tempo.value, words) for tempo, words in TEMPOS.items()],
        initial=Tempo.NORMAL.value,
        widget=forms.RadioSelect,
    )
    plays_rated = forms.BooleanField(
        label="Play rated matches of the open class while it is connected",
        required=False,
        initial=True,
    )
    takes_challenges = forms.BooleanField(
        label="Others may challenge it", required=False, initial=True
    )


class NewRemoteForm(RemoteForm):
    name = forms.CharField(
        label="Name of the bot",
        max_length=32,
        help_text="Up to 32 letters, digits, spaces, dots, dashes or underscores.",
    )
    game = forms.ChoiceField(label="Game", widget=GameRadio)
    seat_counts = forms.TypedMultipleChoiceField(
        label="Boards it plays on",
        coerce=int,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Leave all unticked to play on every board.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fields: dict[str, Any] = self.fields
        fields["game"].choices = [(slug, game.title) for slug, game in GAMES.items()]
        fields["seat_counts"].choices = seat_choices()


@login_required
def new(request: SignedInRequest) -> HttpResponse:
    """Make a remote bot; its token is in this answer and never again."""
    form = NewRemoteForm(request.POST or None)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            data = form.cleaned_data
            seats = [count for count in data["seat_counts"] if count in GAMES[data["game"]].seats]
            try:
                made, secret = bots.create(owner=request.user, **data | {"seat_counts": seats})
            except LadderError as error:
                refuse(form, error)
                status = status_of(error)
            else:
                return _page(request, _found(made.pk), secret=secret)
    context = {"form": form, "bots": limits.bots(request.user.pk)}
    return render(request, "ladder/bot/remote_new.html", context, status=status)


@login_required
def settings(request: SignedInRequest, pk: int) -> HttpResponse:
    """What its owner may change, and its token."""
    owned_bot_or_404(request, pk)
    remote = _found(pk)
    if request.method != "POST":
        return _page(request, remote)
    own = bots.own(by=request.user, pk=pk)
    act = request.POST.get("act", "")
    if act == "token":
        return _page(request, _found(pk), secret=bots.renew_token(remote=own))
    if act == "revoke":
        bots.revoke_token(remote=own)
        messages.success(request, f"The token of {remote.name} no longer works.")
        return redirect("bot-remote", pk)
    form = RemoteForm(request.POST)
    if not form.is_valid():
        return _page(request, remote, form=form, status=400)
    bots.change(remote=own, **form.cleaned_data)
    messages.success(request, "Saved.")
    return redirect("bot-remote", pk)


def _page(
    request: SignedInRequest,
    remote: Remote,
    *,
    secret: str = "",
    form: RemoteForm | None = None,
    status: int = 200,
) -> HttpResponse:
    known = RemoteForm(initial=msgspec.structs.asdict(remote))
    context = {"remote": remote, "secret": secret, "form": form or known}
    response = render(request, "ladder/bot/remote.html", context, status=status)
    response["Cache-Control"] = "no-store"
    return response


def _found(pk: int) -> Remote:
    remote = queries.find(pk)
    if remote is None:
        raise Http404
    return remote
