"""The pages of notices, what one follows, and the end of mail."""

from django.urls import path

from ladder.web.notices import views

urlpatterns = [
    path("notices/", views.notices, name="notices"),
    path("notices/settings/", views.settings_page, name="notice-settings"),
    path("notices/follow/", views.follow, name="follow"),
    path("unsubscribe/<str:token>/", views.unsubscribe, name="unsubscribe"),
]
