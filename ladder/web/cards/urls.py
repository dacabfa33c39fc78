"""Where the cards are."""

from django.urls import path

from ladder.web.cards import views

urlpatterns = [
    path("cards/matches/<row:pk>.png", views.match, name="match-card"),
    path("cards/matches/<row:pk>/plays/<row:index>.png", views.play, name="play-card"),
    path("cards/plays/<row:pk>.png", views.kept_play, name="kept-card"),
    path("cards/bots/<row:pk>.png", views.bot, name="bot-card"),
    path("cards/boards/<slug:slug>/<row:seats>.png", views.board, name="board-card"),
    path("cards/tournaments/<row:pk>.png", views.tournament, name="tournament-card"),
]
