"""What other programs show of the site: feeds, calendars and badges."""

from django.urls import path

from ladder.web.feeds import atom, avatar, badge, calendar

urlpatterns = [
    path("feed.atom", atom.site, name="site-feed"),
    path("bots/<row:pk>/feed.atom", atom.bot, name="bot-feed"),
    path("bots/<row:pk>/badge.svg", badge.badge, name="bot-badge"),
    path("bots/<row:pk>/avatar.svg", avatar.bot_avatar, name="bot-avatar"),
    path("users/<str:name>/feed.atom", atom.author, name="author-feed"),
    path("boards/<slug:slug>/<row:seats>/feed.atom", atom.board, name="board-feed"),
    path("tournaments/<row:pk>/feed.atom", atom.tournament, name="tournament-feed"),
    path("tournaments/calendar.ics", calendar.all_tournaments, name="calendar"),
    path("tournaments/<row:pk>/calendar.ics", calendar.one_tournament, name="tournament-calendar"),
]
