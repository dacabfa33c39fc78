"""A user's webhooks."""

from django.urls import path

from ladder.web.webhooks import views

urlpatterns = [
    path("account/webhooks/", views.webhooks, name="webhooks"),
    path("account/webhooks/<row:pk>/", views.webhook, name="webhook"),
]
