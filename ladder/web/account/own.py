"""What is a user's own: the profile, a copy of all data, and deleting the account."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from ladder.errors import LadderError
from ladder.queries import own_data
from ladder.services import accounts
from ladder.web.account.forms import DeletionForm, ProfileForm
from ladder.web.forms import refuse
from ladder.web.http.limits import limited
from ladder.web.http.pages import SignedInRequest
from ladder.web.http.statuses import status_of

MOST = own_data.MOST_MATCHES
README = f"""Your data on Ladle.

account.json        your account and profile
bots.json           your bots; bots/ has the source of every version
matches.jsonl       the newest {MOST:,} matches of your bots; replays are on the site
tournaments.json    tournaments that you organise
kept-plays.json     plays on your page; plays/ has their replays
drafts.json         drafts and shared drafts with their files
daily.json, puzzles.json, notices.json, follows.json, webhooks.json
tokens.json         names of your API tokens; their secrets are not stored
sessions.json       where you are signed in
"""


@login_required
@require_POST
def profile(request: SignedInRequest) -> HttpResponse:
    form = ProfileForm(request.POST)
    if form.is_valid():
        accounts.save_profile(user=request.user, text=form.cleaned_data["profile"])
        messages.success(request, "Your profile is saved.")
    else:
        messages.error(request, " ".join(map(str, form.errors["profile"])))
    return redirect("account")


@login_required
@require_POST
@limited("export")
def export(request: SignedInRequest) -> HttpResponseBase:
    """One ZIP file with everything that is the user's."""
    response = FileResponse(
        own_data.archive(request.user.pk, README),
        as_attachment=True,
        filename=f"ladle-{request.user.username}.zip",
        content_type="application/zip",
    )
    response["Cache-Control"] = "no-store"
    return response


@login_required
@limited("address")
def delete(request: SignedInRequest) -> HttpResponse:
    """Delete the account, once the user has proved who they are."""
    form = DeletionForm(request.POST or None, user=request.user)
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                accounts.delete_own(user=request.user)
                logout(request)
                messages.success(request, "Your account is deleted.")
                return redirect("home")
            except LadderError as error:
                refuse(form, error)
                status = status_of(error)
    return render(request, "ladder/account/delete.html", {"form": form}, status=status)
