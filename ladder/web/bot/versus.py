"""Two bots side by side: every match in which both sat at the table."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from ladder.models import Bot, Match
from ladder.queries import figures
from ladder.web.http.pages import words
from ladder.web.match.rows import FIELDS, with_entries

SHOWN = 15


def head_to_head(request: HttpRequest, a: int, b: int) -> HttpResponse:
    one = get_object_or_404(Bot.objects.select_related("owner"), pk=a)
    other = get_object_or_404(Bot.objects.select_related("owner"), pk=b, game=one.game)
    tallies, met = figures.head_to_head(one, other)
    newest = Match.objects.filter(pk__in=met[:SHOWN]).order_by("-id")
    context = {
        "one": one,
        "other": other,
        "tallies": tallies,
        "rows": with_entries(newest.values(*FIELDS)),
        "most": figures.NEWEST_OF_TWO,
    }
    return render(request, "ladder/bot/head_to_head.html", context)


def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Pick the other bot by name."""
    one = get_object_or_404(Bot.objects.select_related("owner"), pk=pk)
    name = words(request.GET.get("q"), 40)
    found = Bot.objects.filter(game=one.game, name__icontains=name).exclude(pk=pk)
    rivals = list(found.select_related("owner").order_by("name")[:30])
    if name and len(rivals) == 1:
        return redirect("head-to-head", pk, rivals[0].pk)
    return render(
        request, "ladder/bot/versus_choose.html", {"one": one, "q": name, "rivals": rivals}
    )
