"""Joining, signing in, tokens."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings as site
from django.core import mail, signing
from django.test import Client

from ladder.api.v1.views.docs import schema
from ladder.models import Token, User
from ladder.queries import limits
from ladder.services import accounts
from ladder.web.account.forms import SignUpForm
from tests.factories import PASSWORD
from tests.ladder.web.conftest import signed_in

NEW = {
    "username": "dora",
    "email": "dora@example.org",
    "password1": PASSWORD,
    "password2": PASSWORD,
}


def test_joining_signs_in_and_leads_to_the_upload(client: Client, db: None) -> None:
    response = client.post("/sign-up/", NEW)

    assert response["Location"] == "/upload/"
    assert client.get("/account/").status_code == 200


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"username": "a b"}, "letters, digits"),
        ({"username": "x" * 31}, "at most 30"),
        ({"username": "dora/../x"}, "letters, digits"),
        ({"username": "."}, "begins and ends with a letter or digit"),
        ({"username": ".."}, "begins and ends with a letter or digit"),
        ({"username": "-dora"}, "begins and ends with a letter or digit"),
        ({"username": "dora_"}, "begins and ends with a letter or digit"),
        ({"username": "döra"}, "letters, digits"),
        ({"username": "ALICE"}, "taken"),
        ({"username": "Admin"}, "This name is reserved"),
        ({"email": "dora"}, "valid email"),
        ({"password2": "different"}, "match"),
    ],
)
def test_a_name_or_address_that_will_not_do_is_refused_in_words(
    client: Client, alice: User, changes: dict[str, str], sentence: str
) -> None:
    response = client.post("/sign-up/", NEW | changes)

    assert response.status_code == 400
    assert sentence in response.content.decode()
    assert User.objects.count() == 1


def test_who_joins_at_the_same_moment_as_a_namesake_is_told_so(
    client: Client, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = SignUpForm.save

    def save_late(form: SignUpForm) -> User:
        User.objects.create(username="DORA")  # between the form's check and this
        return save(form)

    monkeypatch.setattr(SignUpForm, "save", save_late)

    response = client.post("/sign-up/", NEW)

    assert response.status_code == 400
    assert "a moment ago" in response.content.decode()
    assert not User.objects.filter(username="dora").exists()


@pytest.mark.parametrize("name", ["d", "42", "D.o-r_a", "x" * 30])
def test_whoever_joined_has_a_page_and_is_known_to_the_api(
    client: Client, db: None, name: str
) -> None:
    assert client.post("/sign-up/", NEW | {"username": name}).status_code == 302
    pattern = schema()["paths"]["/api/v1/users/{username}/"]["get"]["parameters"][0]["schema"]

    assert client.get(f"/users/{name}/").status_code == 200
    assert client.get(f"/api/v1/users/{name}/").json()["username"] == name
    assert re.search(pattern["pattern"], name)
    assert not re.search(pattern["pattern"], f".{name}")


def test_after_five_failures_one_has_to_wait_even_with_the_right_password(
    client: Client, alice: User
) -> None:
    for _ in range(5):
        assert client.post("/sign-in/", {"username": "alice", "password": "no"}).status_code == 400

    blocked = client.post("/sign-in/", {"username": "Alice", "password": PASSWORD})

    assert blocked.status_code == 429
    assert blocked["Retry-After"] == "60"
    assert "Wait 60 seconds" in blocked.content.decode()


def test_others_are_not_kept_waiting_by_anothers_failures(
    client: Client, alice: User, bob: User
) -> None:
    for _ in range(6):
        client.post("/sign-in/", {"username": "alice", "password": "no"})

    response = client.post("/sign-in/", {"username": "bob", "password": PASSWORD})

    assert response.status_code == 302


def test_a_tokens_secret_is_shown_once(alice: User) -> None:
    client = signed_in(alice)

    shown = client.post("/account/tokens/", {"name": "laptop", "scope": "submit"})

    secret = re.search(r"ladle_[\w-]+", shown.content.decode())
    assert secret is not None
    assert Token.objects.by_secret(secret[0]).user == alice
    assert shown["Cache-Control"] == "no-store"
    assert secret[0] not in client.get("/account/tokens/").content.decode()


def test_tokens_are_bounded_on_the_site_and_by_the_api(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MAX_TOKENS", 1)
    client = signed_in(alice)
    client.post("/account/tokens/", {"name": "laptop", "scope": "read"})

    on_site = client.post("/account/tokens/", {"name": "phone", "scope": "read"})
    by_api = client.post("/api/v1/tokens/", {"name": "phone"}, content_type="application/json")

    assert (on_site.status_code, by_api.status_code) == (429, 429)
    assert "You have reached the limit of 1 tokens" in on_site.content.decode()
    assert alice.tokens.count() == 1


def test_only_its_owner_revokes_a_token(alice: User, charlie: User) -> None:
    token, secret = Token.issue(user=alice, name="laptop", scope="read")

    refused = signed_in(charlie).post("/account/tokens/", {"revoke": token.pk})
    assert refused.status_code == 404
    assert Token.objects.by_secret(secret) is not None

    signed_in(alice).post("/account/tokens/", {"revoke": token.pk})
    assert Token.objects.by_secret(secret) is None


@pytest.mark.parametrize("which", ["", "abc", "-1", "9" * 40, "\0"])
def test_a_token_that_cannot_be_is_not_found(alice: User, which: str) -> None:
    assert signed_in(alice).post("/account/tokens/", {"revoke": which}).status_code == 404


def test_a_forgotten_password_is_mended_through_the_mailed_link(
    client: Client, alice: User
) -> None:
    client.post("/password/", {"email": alice.email})
    path = re.search(r"http://[^/]+(/password/\S+)", mail.outbox[0].body)
    assert path is not None

    form = client.get(path[1], follow=True)
    new = "quite another passphrase 9"
    client.post(form.redirect_chain[-1][0], {"new_password1": new, "new_password2": new})

    assert client.login(username="alice", password=new)


def test_the_mailed_link_leads_to_the_site_whatever_the_request_calls_it(
    client: Client, alice: User
) -> None:
    told = {"Host": "localhost:6666", "X-Forwarded-Proto": "https", "X-Forwarded-Host": "evil"}

    client.post("/password/", {"email": alice.email}, headers=told)

    links = re.findall(r"\S+://\S+", mail.outbox[0].body)
    assert [link.partition("/password/")[0] for link in links] == [site.SITE_URL]


def test_signing_out_needs_a_post(alice: User) -> None:
    client = signed_in(alice)

    assert client.get("/sign-out/").status_code == 405
    client.post("/sign-out/")
    assert client.get("/account/").status_code == 302


@pytest.mark.parametrize("email", ["dora@example.org", "Alice@Example.org"])
def test_joining_does_not_tell_whose_addresses_are_known(
    client: Client, alice: User, email: str
) -> None:
    response = client.post("/sign-up/", NEW | {"email": email}, follow=True)
    page = response.content.decode()

    assert response.redirect_chain == [("/upload/", 302)]
    assert f"mail we sent to {email}" in page
    assert User.objects.get(username="dora").email == ""
    assert [to for sent in mail.outbox for to in sent.to] == [email]


def test_an_address_counts_once_its_mail_is_answered(client: Client, alice: User) -> None:
    client.post("/sign-up/", NEW)
    (link,) = re.findall(r"http\S+(/account/\S+)", mail.outbox[0].body)

    signed_in(alice).get(link)
    assert not User.objects.filter(email=NEW["email"]).exists()
    client.get(link)
    assert User.objects.get(username="dora").email == NEW["email"]


def test_the_address_of_another_account_cannot_be_taken(alice: User, bob: User) -> None:
    client = signed_in(alice)

    client.post("/account/", {"email": "BOB@example.org", "password": PASSWORD})

    (sent,) = mail.outbox
    assert "It belongs to yours already" in sent.body
    assert "/account/" not in sent.body
    assert not accounts.confirm_address(
        alice, signing.dumps({"user": alice.pk, "email": bob.email}, salt=accounts.ADDRESS_SALT)
    )


def test_joining_works_while_no_mail_can_be_sent(client: Client, db: None, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1

    page = client.post("/sign-up/", NEW, follow=True).content.decode()

    assert "We cannot send mail now." in page
    assert User.objects.filter(username="dora").exists()
