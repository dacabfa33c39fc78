"""Every address of the site."""

from django.contrib import admin
from django.urls import include, path

from ladder.web.account import views as accounts
from ladder.web.operation import views as operation

urlpatterns = [
    path("healthz", operation.healthz, name="healthz"),
    path("readyz", operation.readyz, name="readyz"),
    path("metrics", operation.metrics, name="metrics"),
    path("status/", operation.status, name="status"),
    path("admin/kitchen/", admin.site.admin_view(operation.kitchen), name="kitchen"),
    path("admin/fairness/", admin.site.admin_view(operation.fairness), name="fairness"),
    path("admin/login/", accounts.operator_sign_in, name="operator-sign-in"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("ladder.api.v1.urls")),
    path("tournaments/", include("ladder.web.tournament.urls")),
    path("", include("ladder.web.site_urls")),
    path("", include("ladder.web.drafts.urls")),
    path("", include("ladder.web.notices.urls")),
    path("", include("ladder.web.feeds.urls")),
    path("", include("ladder.web.cards.urls")),
    path("", include("ladder.web.account.urls")),
    path("", include("ladder.web.embed.urls")),
    path("", include("ladder.web.webhooks.urls")),
]

handler400 = "ladder.web.http.errors.bad_request"
