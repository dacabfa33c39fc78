"""Notices, their settings, following, and unsubscribing from mail."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from ladder.contract.events import LABELS, OF_BOTS, Kind
from ladder.errors import LadderError
from ladder.queries import notices as queries
from ladder.services.notices import wishes
from ladder.services.notices.telling import default_channel
from ladder.web.http.pages import SignedInRequest, cursor_or_none, number, words

PAGE = 50
CHANNELS = [("site", "Site only"), ("mail", "With mail"), ("off", "Off")]
RHYTHMS = [
    ("now", "At once"),
    ("daily", "Once a day, at 7:00 UTC"),
    ("weekly", "Once a week, on Monday at 7:00 UTC"),
    ("never", "Never"),
]


@login_required
def notices(request: SignedInRequest) -> HttpResponse:
    if request.method == "POST":
        wishes.mark_read(user=request.user, up_to=number(request.POST.get("up_to")) or 0)
        return redirect("notices")
    at = cursor_or_none(request.GET.get("cursor"), queries.NEWEST)
    page = queries.page(request.user.pk, at, PAGE)
    context = {
        "page": page,
        "newest": max((notice.id for notice in page.rows), default=0),
        "has_unread": any(not notice.is_read for notice in page.rows),
        **_mail(request),
    }
    return render(request, "ladder/notices/notices.html", context)


def _mail(request: SignedInRequest) -> dict[str, Any]:
    """Whether mail can be sent at all, and to this user."""
    return {"has_mail_server": bool(settings.EMAIL_HOST), "address": request.user.email}


@login_required
def settings_page(request: SignedInRequest) -> HttpResponse:
    user, bots = request.user, queries.own_bots(request.user.pk)
    chosen_bot = number(request.POST.get("bot") or request.GET.get("bot")) or 0
    if chosen_bot and chosen_bot not in bots:
        raise Http404
    if request.method == "POST":
        try:
            if "rhythm" in request.POST:
                wishes.choose_rhythm(user=user, rhythm=request.POST["rhythm"])
            for kind in OF_BOTS if chosen_bot else LABELS:
                if (channel := request.POST.get(kind)) is not None:
                    wishes.choose(user=user, kind=kind, channel=channel, bot=chosen_bot)
            messages.success(request, "Saved.")
        except LadderError as error:
            messages.error(request, str(error))
        place = redirect("notice-settings")
        if chosen_bot:
            place["Location"] += f"?bot={chosen_bot}"
        return place
    choices = queries.choices(user.pk)
    shown = OF_BOTS if chosen_bot else [k for k in LABELS if _concerns(k, user.is_staff)]
    rows = [
        {
            "kind": kind.value,
            "label": LABELS[kind],
            "channel": choices.channels.get((kind, chosen_bot))
            or ("" if chosen_bot else default_channel(kind)),
        }
        for kind in shown
    ]
    context = {
        "rows": rows,
        "rhythm": choices.rhythm,
        "rhythms": RHYTHMS,
        "channels": [("", "As for all bots"), *CHANNELS] if chosen_bot else CHANNELS,
        "bots": bots,
        "chosen_bot": chosen_bot,
        "chosen_name": bots.get(chosen_bot, ""),
        "following": queries.following(user.pk),
        **_mail(request),
    }
    return render(request, "ladder/notices/settings.html", context)


def _concerns(kind: Kind, is_staff: bool) -> bool:
    return is_staff or kind != Kind.OPERATOR_ACTED


@login_required
@require_POST
def follow(request: SignedInRequest) -> HttpResponse:
    """Begin or cease to follow something; back to the page it was asked on."""
    what = {name: words(request.POST.get(name), 60) for name in ("subject", "target")}
    try:
        if request.POST.get("act") == "unfollow":
            wishes.unfollow(user=request.user, **what)
        else:
            wishes.follow(user=request.user, **what)
    except LadderError as error:
        messages.error(request, str(error))
    back = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    return redirect(back if is_ours else "notice-settings")


# Exempt: mail programs send it without a cookie, as RFC 8058 wants; the token is the proof.
@csrf_exempt
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows a button, so that programs that look at links change nothing."""
    if request.method != "POST":
        return render(request, "ladder/notices/unsubscribe.html")
    user = wishes.unsubscribe(token)
    context = {"is_done": user is not None, "is_unknown": user is None}
    status = 404 if user is None else 200
    return render(request, "ladder/notices/unsubscribe.html", context, status=status)
