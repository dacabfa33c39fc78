"""What django-allauth serves: other sites, second factors, and asking for the password again."""

from allauth.account import views as allauth
from django.contrib.auth import views as auth
from django.urls import include, path
from django.views.generic import RedirectView

from ladder.web.account import views

# Names that allauth's own pages lead to; ours are there.
OURS = {
    "account_login": "sign-in",
    "account_signup": "sign-up",
    "account_email": "account",
    "account_change_password": "password-change",
    "account_set_password": "password-reset",
    "account_reset_password": "password-reset",
}

urlpatterns = [
    path("account/sessions/", views.sessions, name="sessions"),
    path("accounts/logout/", auth.LogoutView.as_view(), name="account_logout"),
    path("accounts/inactive/", allauth.account_inactive, name="account_inactive"),
    path("accounts/reauthenticate/", allauth.reauthenticate, name="account_reauthenticate"),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("accounts/3rdparty/", include("allauth.socialaccount.urls")),
    path("accounts/", include("allauth.socialaccount.providers.github.urls")),
    path("accounts/", include("allauth.socialaccount.providers.gitlab.urls")),
    path("accounts/", include("allauth.socialaccount.providers.openid_connect.urls")),
    *(
        path(
            f"accounts/{name.removeprefix('account_').replace('_', '-')}/",
            RedirectView.as_view(pattern_name=target, query_string=True),
            name=name,
        )
        for name, target in OURS.items()
    ),
]
