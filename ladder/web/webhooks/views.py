"""Webhooks: making one, its secret, its log, a test."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render

from ladder.contract.events import LABELS, Kind
from ladder.errors import LadderError
from ladder.queries import webhooks as queries
from ladder.services.webhooks import owned
from ladder.web.forms import refuse
from ladder.web.http.pages import SignedInRequest, number
from ladder.web.http.statuses import status_of

SHOWN = 50
FORMATS = [("standard", "JSON, signed"), ("discord", "Discord"), ("slack", "Slack")]
KINDS = [
    (kind.value, "Every match of my bots" if kind == Kind.MATCH_FINISHED else label)
    for kind, label in LABELS.items()
    if kind not in (Kind.OPERATOR_ACTED, Kind.WEBHOOK_DISABLED)
]


class WebhookForm(forms.Form):
    url = forms.CharField(
        label="Address",
        max_length=500,
        widget=forms.TextInput(attrs={"placeholder": "https://", "inputmode": "url"}),
    )
    format = forms.ChoiceField(label="Format", choices=FORMATS, widget=forms.RadioSelect)
    kinds = forms.MultipleChoiceField(
        label="Events",
        choices=KINDS,
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="None chosen: all that you get notices of.",
    )


@login_required
def webhooks(request: SignedInRequest) -> HttpResponse:
    form, status = WebhookForm(request.POST or None, initial={"format": "standard"}), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                made = owned.create(request.user, **form.cleaned_data)
                return redirect("webhook", made)
            except LadderError as error:
                refuse(form, error)
                status = status_of(error)
    context = {"form": form, "webhooks": queries.of_user(request.user.pk)}
    return render(request, "ladder/webhooks/webhooks.html", context, status=status)


@login_required
def webhook(request: SignedInRequest, pk: int) -> HttpResponse:
    """One webhook; what its owner does with it is named by the button."""
    found = next((one for one in queries.of_user(request.user.pk) if one.id == pk), None)
    if found is None:
        raise Http404
    if request.method == "POST":
        act = request.POST.get("act", "")
        if act not in owned.ACTS:
            raise Http404
        said = owned.act(request.user, pk, act, number(request.POST.get("delivery")) or 0)
        messages.success(request, said)
        return redirect("webhooks") if act == "remove" else redirect("webhook", pk)
    context = {"webhook": found, "log": queries.log(pk, SHOWN), "kinds": dict(KINDS)}
    response = render(request, "ladder/webhooks/webhook.html", context)
    response["Cache-Control"] = "no-store"
    return response
