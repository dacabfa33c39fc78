"""Finding bots, authors and tournaments; an author's page."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from ladder.models import Bot, Rating, Tournament, User
from ladder.web.http.pages import page_or_fragment, words

MOST = 20


def search(request: HttpRequest) -> HttpResponse:
    q = words(request.GET.get("q"), 60)
    context = {"q": q}
    if q:
        bots = Bot.objects.filter(name__icontains=q).order_by("name")
        users = User.objects.filter(username__icontains=q, is_active=True).order_by("username")
        tournaments = Tournament.objects.public().filter(name__icontains=q).order_by("-id")
        context |= {
            "bots": bots.select_related("owner")[:MOST],
            "users": users[:MOST],
            "tournaments": tournaments[:MOST],
        }
    return page_or_fragment(
        request, "ladder/home/search.html", "ladder/home/_search_results.html", context
    )


def user(request: HttpRequest, name: str) -> HttpResponse:
    author = get_object_or_404(User, username__iexact=words(name, 150), is_active=True)
    bots = list(author.bots.select_related("active_version").order_by("game", "name"))
    ratings: dict[int, list[Rating]] = {}
    for rating in Rating.objects.filter(bot__in=bots).listed().order_by("seats"):
        ratings.setdefault(rating.bot_id, []).append(rating)
    rows = [{"bot": bot, "ratings": ratings.get(bot.pk, [])} for bot in bots]
    return render(request, "ladder/home/user.html", {"author": author, "rows": rows})
