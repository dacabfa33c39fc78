"""Signing in through other sites and with a second factor; sessions, and ending them."""

from __future__ import annotations

import re
import urllib.request
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from django.test import Client
from django.urls import reverse

from ladder.models import SignedIn, User
from ladder.services import accounts
from tests.factories import PASSWORD, make_user
from tests.ladder.signing_in.issuer import Issuer
from tests.ladder.web.conftest import signed_in

LOGIN = "/accounts/oidc/oidc/login/"


def turn_on(settings, issuer: Issuer) -> None:
    settings.SIGN_IN = ["oidc"]
    settings.OIDC_ISSUER, settings.OIDC_NAME = issuer.url, "Kitchen ID"
    app = {
        "provider_id": "oidc",
        "name": "Kitchen ID",
        "client_id": "ladle",
        "secret": "secret",
        "settings": {"server_url": issuer.url},
    }
    settings.SOCIALACCOUNT_PROVIDERS = {
        "openid_connect": {"OAUTH_PKCE_ENABLED": True, "APPS": [app]}
    }


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args, **kwargs) -> None:
        return None


def through(client: Client, start: str):
    """What a browser does: to the issuer, and back to us with its code."""
    away = client.post(start)
    assert away.status_code == 302
    try:
        urllib.request.build_opener(_NoRedirect).open(away["Location"])
    except urllib.error.HTTPError as answer:
        back = urlsplit(answer.headers["Location"])
    return client.get(f"{back.path}?{back.query}")


def sign_in(client: Client, name: str, password: str = PASSWORD, **more: str):
    told = {"username": name, "password": password, **more}
    return client.post(reverse("sign-in"), told)


def is_signed_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def test_nothing_of_it_is_there_unless_an_operator_turned_it_on(alice: User) -> None:
    page = Client().get(reverse("sign-in")).content.decode()
    assert "Sign in with" not in page
    for address in (LOGIN, "/accounts/github/login/", "/accounts/2fa/totp/activate/"):
        assert signed_in(alice).get(address).status_code == 404
    assert "one-time codes" not in signed_in(alice).get(reverse("account")).content.decode()


@pytest.mark.django_db
def test_a_newcomer_signs_in_through_an_issuer_and_chooses_a_name(
    settings, issuer: Issuer, alice: User
) -> None:
    turn_on(settings, issuer)
    client = Client()
    page = client.get(reverse("sign-in"))
    assert "Sign in with Kitchen ID" in page.content.decode()
    assert issuer.url in page["Content-Security-Policy"]

    answer = through(client, f"{LOGIN}?process=login")
    assert answer["Location"] == reverse("socialaccount_signup")
    assert not is_signed_in(client)
    refused = client.post(answer["Location"], {"username": "A1ice"})
    assert b"looks like one that is taken" in refused.content
    assert client.post(answer["Location"], {"username": "cook"}).status_code == 302
    assert is_signed_in(client)
    cook = User.objects.get(username="cook")
    assert (cook.email, cook.has_usable_password()) == ("", False)

    again = Client()
    through(again, f"{LOGIN}?process=login")
    assert is_signed_in(again)
    assert User.objects.count() == 2
    accounts.suspend(cook)
    late = Client()
    through(late, f"{LOGIN}?process=login")
    assert not is_signed_in(late)


@pytest.mark.django_db
@pytest.mark.parametrize("site", ["github", "gitlab"])
def test_a_newcomer_signs_in_through_github_or_gitlab(
    settings, issuer: Issuer, monkeypatch: pytest.MonkeyPatch, site: str
) -> None:
    settings.SIGN_IN = [site]
    app = {"client_id": "ladle", "secret": "secret", "settings": {"gitlab_url": issuer.url}}
    settings.SOCIALACCOUNT_PROVIDERS = {site: {"APPS": [app]}}
    if site == "github":  # whose addresses are fixed
        monkeypatch.setattr(
            GitHubOAuth2Adapter, "authorize_url", f"{issuer.url}/login/oauth/authorize"
        )
        monkeypatch.setattr(
            GitHubOAuth2Adapter, "access_token_url", f"{issuer.url}/login/oauth/access_token"
        )
        monkeypatch.setattr(GitHubOAuth2Adapter, "profile_url", f"{issuer.url}/user")
    client = Client()
    title = {"github": "GitHub", "gitlab": "GitLab"}[site]
    assert f"Sign in with {title}" in client.get(reverse("sign-in")).content.decode()

    answer = through(client, f"/accounts/{site}/login/?process=login")
    assert answer["Location"] == reverse("socialaccount_signup")
    client.post(answer["Location"], {"username": "cook"})
    again = Client()
    through(again, f"/accounts/{site}/login/?process=login")

    assert is_signed_in(client) and is_signed_in(again)
    assert (User.objects.get().username, User.objects.get().email) == ("cook", "")


def test_an_issuer_cannot_take_over_an_account_by_its_address(
    settings, issuer: Issuer, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn_on(settings, issuer)
    claimed = {"sub": "thief", "email": alice.email, "email_verified": True}
    monkeypatch.setattr(issuer, "person", claimed)
    client = Client()
    through(client, f"{LOGIN}?process=login")

    assert not is_signed_in(client)
    # A state of another browser is refused.
    other = Client().get("/accounts/oidc/oidc/login/callback/?code=x&state=y")
    assert other.status_code in (200, 401, 403)
    assert Client().get(reverse("account")).status_code == 302


def test_one_time_codes_are_asked_for_after_the_password(settings, alice: User) -> None:
    settings.SIGN_IN = ["codes"]
    client = Client()
    assert sign_in(client, "alice").status_code == 302
    asked = client.get(reverse("mfa_activate_totp"))
    assert asked["Location"].startswith(reverse("account_reauthenticate"))
    assert client.get(asked["Location"]).status_code == 200
    client.post(asked["Location"], {"password": PASSWORD})
    page = client.get(reverse("mfa_activate_totp"))
    assert page.status_code == 200
    assert b"<svg" in page.content or b"data:image/svg" in page.content
    secret = _secret(page.content.decode())
    assert client.post(reverse("mfa_activate_totp"), {"code": _code(secret)}).status_code == 302
    stored = Authenticator.objects.get(user=alice, type="totp")
    assert secret not in str(stored.data)

    other = Client()
    asked = sign_in(other, "alice")
    assert asked["Location"].startswith(reverse("mfa_authenticate"))
    assert not is_signed_in(other)
    wrong = other.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert wrong.status_code == 200
    assert not is_signed_in(other)
    totp_cache_reset()
    other.post(reverse("mfa_authenticate"), {"code": _code(secret)})
    assert is_signed_in(other)
    # Turned off later, those who have a second factor still need it.
    settings.SIGN_IN = []
    assert sign_in(Client(), "alice")["Location"].startswith(reverse("mfa_authenticate"))


def totp_cache_reset() -> None:
    """A code works once; here two sign-ins share half a minute."""
    from django.core.cache import cache

    cache.clear()


def _secret(page: str) -> str:
    (found,) = set(re.findall(r"\b[A-Z2-7]{32}\b", page))
    return found


def _code(secret: str) -> str:
    counter = next(iter(totp.yield_hotp_counters_from_time()))
    return totp.format_hotp_value(totp.hotp_value(secret, counter))


def test_operators_without_a_second_factor_get_no_further_where_it_is_required(
    settings, alice: User
) -> None:
    chief = make_user("chief", is_staff=True, is_superuser=True)
    settings.SIGN_IN, settings.OPERATORS_NEED_SECOND_FACTOR = ["codes"], True
    client = signed_in(chief)
    _, secret = accounts.issue_token(user=chief, name="x", scope="read")

    for address in ("/admin/", "/", "/bots/1/"):
        assert client.get(address)["Location"] == reverse("mfa_index")
    assert client.get("/api/v1/me/").status_code == 403
    by_token = Client().get("/api/v1/me/", headers={"Authorization": f"Bearer {secret}"})
    assert by_token.status_code == 401
    assert client.get(reverse("mfa_index")).status_code == 200
    assert signed_in(alice).get("/").status_code == 200
    Authenticator.objects.create(user=chief, type="totp", data={"secret": "x"})
    assert client.get("/admin/").status_code == 200


def test_sessions_are_listed_and_ended_and_a_new_password_ends_the_others(alice: User) -> None:
    here, there = Client(), Client(headers={"User-Agent": "Other <Browser>"})
    for client in (here, there):
        assert sign_in(client, "alice").status_code == 302
    page = here.get(reverse("sessions")).content.decode()
    assert "Other &lt;Browser&gt;" in page
    assert page.count("this browser") == 1

    here.post(reverse("sessions"))
    assert (is_signed_in(here), is_signed_in(there)) == (True, False)
    assert SignedIn.objects.count() == 1

    sign_in(there, "alice")
    accounts.issue_token(user=alice, name="ci", scope="submit")
    change = {"old_password": PASSWORD, "new_password1": "broth of 9 bones", "revoke": "1"}
    change["new_password2"] = change["new_password1"]
    assert b"Also revoke my 1 API" in here.get(reverse("password-change")).content
    assert here.post(reverse("password-change"), change).status_code == 302
    assert (is_signed_in(here), is_signed_in(there)) == (True, False)
    assert not alice.tokens.filter(revoked_at=None).exists()
    assert "this browser" in here.get(reverse("sessions")).content.decode()

    sign_in(there, "alice", change["new_password1"])
    there.post(reverse("sessions"))
    assert (is_signed_in(here), is_signed_in(there)) == (False, True)
    there.post(reverse("sign-out"))
    assert SignedIn.objects.count() == 0
