"""Two bots side by side: every match in which both sat at the table."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from ladder.boards import Board
from ladder.models import Bot, Entry, Match
from ladder.ratings.intervals import wilson
from ladder.svg import Share
from ladder.views.bot_figures import AMONG_OTHERS
from ladder.views.match_rows import FIELDS, with_entries

NEWEST = 500
SHOWN = 15


@dataclass(slots=True)
class Tally:
    """The first bot's record against the second on one board."""

    seats: int
    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def share(self) -> Share:
        n = self.won + self.drawn + self.lost
        score = self.won + self.drawn / 2
        return Share(score / n, *wilson(score, n), n)


def head_to_head(request: HttpRequest, a: int, b: int) -> HttpResponse:
    one = get_object_or_404(Bot.objects.select_related("owner"), pk=a)
    other = get_object_or_404(Bot.objects.select_related("owner"), pk=b, game=one.game)
    met = (
        Entry.objects.filter(
            bot=one,
            match__entries__bot=other,
            match__status=Match.Status.FINISHED,
            match__kind__in=AMONG_OTHERS,
        )
        .order_by("-match_id")
        .values_list("match_id", "match__seats", "place", "points")[:NEWEST]
    )
    tallies: dict[int, Tally] = {}
    mine = {match: (seats, place, points) for match, seats, place, points in met}
    theirs = Entry.objects.filter(bot=other, match__in=list(mine))
    for match, place, points in theirs.values_list("match_id", "place", "points"):
        seats, own_place, own_points = mine[match]
        if place is None or own_place is None:
            continue
        gap = points - own_points if Board(one.game, seats).is_solo else own_place - place
        tally = tallies.setdefault(seats, Tally(seats))
        tally.won += gap < 0
        tally.drawn += gap == 0
        tally.lost += gap > 0
    newest = sorted(mine, reverse=True)[:SHOWN]
    context = {
        "one": one,
        "other": other,
        "tallies": [tallies[seats] for seats in sorted(tallies)],
        "rows": with_entries(Match.objects.filter(pk__in=newest).order_by("-id").values(*FIELDS)),
        "most": NEWEST,
    }
    return render(request, "ladder/head_to_head.html", context)


def choose(request: HttpRequest, pk: int) -> HttpResponse:
    """Pick the other bot by name."""
    one = get_object_or_404(Bot.objects.select_related("owner"), pk=pk)
    name = request.GET.get("q", "").strip()[:40]
    found = Bot.objects.filter(game=one.game, name__icontains=name).exclude(pk=pk)
    rivals = list(found.select_related("owner").order_by("name")[:30])
    if name and len(rivals) == 1:
        return redirect("head-to-head", pk, rivals[0].pk)
    return render(request, "ladder/versus_choose.html", {"one": one, "q": name, "rivals": rivals})
