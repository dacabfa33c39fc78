"""Everything under /tournaments/."""

from django.urls import path

from ladder.views import tournament_new, tournaments

urlpatterns = [
    path("", tournaments.tournaments, name="tournaments"),
    path("new/", tournament_new.new, name="tournament-new"),
    path("preview/", tournament_new.preview, name="tournament-preview"),
    path("<int:pk>/", tournaments.tournament, name="tournament"),
    path("<int:pk>/edit/", tournament_new.edit, name="tournament-edit"),
    path("<int:pk>/act/", tournaments.act, name="tournament-act"),
    path("<int:pk>/results.csv", tournaments.results_csv, name="tournament-csv"),
    path("<int:pk>/results.json", tournaments.results_json, name="tournament-json"),
]
