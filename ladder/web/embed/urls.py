"""Where other sites find what they frame."""

from django.urls import path

from ladder.web.embed import oembed, views
from ladder.web.match import films
from ladder.web.play import kept

urlpatterns = [
    path("embed/matches/<row:pk>/", views.match, name="embed-match"),
    path("embed/matches/<row:pk>/plays/<row:index>/", views.play, name="embed-play"),
    path("embed/matches/<row:pk>/plays/<row:index>/frames.json", films.frames, name="embed-frames"),
    path("embed/plays/<row:pk>/", views.kept_play, name="embed-kept"),
    path("embed/plays/<row:pk>/frames.json", kept.frames, name="embed-kept-frames"),
    path("embed/bots/<row:pk>/", views.bot, name="embed-bot"),
    path("oembed", oembed.oembed, name="oembed"),
]
