"""Uploading a bot or a version, and following the gate's check."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.storage import default_storage
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from engine.games import GAMES
from engine.replay import read
from ladder.contract.bots import Check, ShownBot
from ladder.errors import LadderError
from ladder.queries import limits, versions
from ladder.services import bots
from ladder.theatre import offline
from ladder.web.bot.forms import SourceForm, UploadForm, VersionForm
from ladder.web.forms import refuse
from ladder.web.http.pages import SignedInRequest, number, owned_bot_or_404, page_or_fragment
from ladder.web.http.statuses import status_of
from sandbox.languages import LANGUAGES, any_of
from sandbox.program import Program, bundle


@login_required
def upload(request: SignedInRequest) -> HttpResponse:
    """A new bot with its first version."""
    chosen = request.GET.get("game")
    form = UploadForm(
        request.POST or None,
        request.FILES or None,
        initial={"game": chosen if chosen in GAMES else None},
    )
    if request.method == "POST" and form.is_valid():
        try:
            with transaction.atomic():  # a refused script leaves no bot behind
                data = form.cleaned_data
                bot = bots.create_bot(
                    owner=request.user,
                    game=data["game"],
                    name=data["name"],
                    seat_counts=[
                        seats for seats in data["seat_counts"] if seats in GAMES[data["game"]].seats
                    ],
                    is_source_public=data["is_source_public"],
                )
                version, _ = bots.upload(bot=bot, **form.upload())
            return redirect("version", version.pk)
        except LadderError as error:
            return _refused(request, form, error, None)
    return _form_page(request, form, None)


@login_required
def upload_version(request: SignedInRequest, pk: int) -> HttpResponse:
    """A new version, written on from an older one: the newest, or the one asked for."""
    bot = owned_bot_or_404(request, pk)
    asked = number(request.GET.get("from"))
    before = versions.find(pk, asked) if asked else versions.newest(pk)
    text = _text(versions.program(before.id) if before else None)
    initial = {"pasted": text, "language": before.language} if before and text else {}
    form = VersionForm(request.POST or None, request.FILES or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            own = bots.own(by=request.user, pk=pk)
            activate = form.cleaned_data["activate"]
            version, is_new = bots.upload(bot=own, **form.upload(), activate=activate)
        except LadderError as error:
            return _refused(request, form, error, bot)
        if not is_new:
            messages.info(request, f"This is the same script as version {version.number}.")
        return redirect("version", version.pk)
    return _form_page(request, form, bot)


def _text(program: Program | None) -> str:
    """A script's text; empty for a file that has none, and for a bundle."""
    return program.content.decode() if program and program.is_text else ""


def _refused(
    request: SignedInRequest, form: SourceForm, error: LadderError, bot: ShownBot | None
) -> HttpResponse:
    refuse(form, error)
    return _form_page(request, form, bot, status=status_of(error))


def _form_page(
    request: SignedInRequest, form: SourceForm, bot: ShownBot | None, status: int = 200
) -> HttpResponse:
    if form.errors:
        form.keep_script()
        status = 400 if status == 200 else status
    context = {
        "form": form,
        "bot": bot,
        "bots": None if bot else limits.bots(request.user.pk),
        "uploads": limits.uploads(request.user.pk),
        "languages": LANGUAGES,
        "entries": any_of(bundle.ENTRIES),
        "limits": bot.rules.limits if bot else None,
    }
    return render(request, "ladder/bot/upload.html", context, status=status)


# The page of a replay is one file with its scripts in it. In a sandbox it is no part of the site.
PLAY_POLICY = f"sandbox allow-scripts; {offline.POLICY}"


def check_play(request: HttpRequest, pk: int, row: int) -> HttpResponse:
    """A play of the gate with a version, to watch; for the author only."""
    found = _own_check(request, pk).version
    try:
        with default_storage.open(bots.check_play_path(pk, row)) as file:
            packed = file.read()
    except FileNotFoundError:
        raise Http404("the gate's report has no such play") from None
    html = offline.page(found.of.rules, read(packed), f"gate-{pk}-{row}.json.gz")
    return HttpResponse(html, headers={"Content-Security-Policy": PLAY_POLICY})


def _own_check(request: HttpRequest, pk: int) -> Check:
    found = versions.check(pk)
    if found is None or not found.version.of.is_managed_by(request.user):
        raise Http404
    return found


def version(request: HttpRequest, pk: int) -> HttpResponse:
    """The gate's check of a version, live until its verdict; for the author only."""
    check = _own_check(request, pk)
    context = {
        "check": check,
        "version": check.version,
        "bot": check.version.of,
        "is_checking": check.version.status == "checking",
        "watchable": [
            row
            for row in range(len(check.report.rows))
            if default_storage.exists(bots.check_play_path(pk, row))
        ],
    }
    return page_or_fragment(request, "ladder/bot/version.html", "ladder/bot/_version.html", context)
