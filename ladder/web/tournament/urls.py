"""Everything under /tournaments/."""

from django.urls import path

from ladder.web.tournament import new, views

urlpatterns = [
    path("", views.tournaments, name="tournaments"),
    path("cups/", views.cups, name="cups"),
    path("new/", new.new, name="tournament-new"),
    path("preview/", new.preview, name="tournament-preview"),
    path("<int:pk>/", views.tournament, name="tournament"),
    path("<int:pk>/edit/", new.edit, name="tournament-edit"),
    path("<int:pk>/act/", views.act, name="tournament-act"),
    path("<int:pk>/results.csv", views.results_csv, name="tournament-csv"),
    path("<int:pk>/results.json", views.results_json, name="tournament-json"),
]
