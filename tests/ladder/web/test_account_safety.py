"""What a thief of a session, a token or a mailbox cannot do."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.core import mail
from django.core.cache import caches
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from ladder.models import AuditEntry, Token, User
from ladder.services import accounts
from tests.factories import PASSWORD, make_bot, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_counted():
    for cache in caches.all(initialized_only=True):
        cache.clear()


@pytest.mark.parametrize("typed", ["  alice", "alice ", "ａｌｉｃｅ", "ALICE"])
def test_another_spelling_of_a_name_is_counted_with_it(client, typed):
    make_user("alice")
    for _ in range(5):
        client.post("/sign-in/", {"username": "alice", "password": "no"})

    assert client.post("/sign-in/", {"username": typed, "password": "no"}).status_code == 429


def test_one_address_cannot_try_many_names_without_end(client, settings):
    settings.RATE_SIGN_IN = "7/hour"

    answers = [
        client.post("/sign-in/", {"username": f"user{n}", "password": "no"}).status_code
        for n in range(9)
    ]

    assert answers == [400] * 7 + [429] * 2


def bearer(secret: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {secret}"}


def test_a_token_ends_with_the_lost_password_it_may_have_been_made_by(client):
    alice = make_user("alice")
    _, secret = accounts.issue_token(user=alice, name="thief's", scope="submit")
    uid = urlsafe_base64_encode(force_bytes(alice.pk))
    link = f"/password/{uid}/{default_token_generator.make_token(alice)}/"
    page = client.get(link, follow=True).redirect_chain[-1][0]

    client.post(page, {"new_password1": "another broth 9", "new_password2": "another broth 9"})

    assert client.get("/api/v1/me/", headers=bearer(secret)).status_code == 401


def test_a_token_expires(client, settings):
    token, secret = accounts.issue_token(user=make_user(), name="old", scope="read")
    assert token.expires_at > timezone.now() + settings.TOKEN_LIFE - timedelta(minutes=1)
    assert client.get("/api/v1/me/", headers=bearer(secret)).status_code == 200

    Token.objects.update(expires_at=timezone.now())

    assert client.get("/api/v1/me/", headers=bearer(secret)).status_code == 401


def test_a_new_address_needs_the_password_and_an_answer_from_there(client):
    alice = make_user("alice")
    client.force_login(alice)
    new = {"email": "new@example.org"}

    assert client.post("/account/", new | {"password": "guess"}).status_code == 400
    assert not mail.outbox
    client.post("/account/", new | {"password": PASSWORD})
    alice.refresh_from_db()
    assert alice.email == "alice@example.org"
    assert mail.outbox[-1].to == ["new@example.org"]

    link = re.search(r"https?://[^/]+(/\S+)", mail.outbox[-1].body)[1]
    mallory = make_user("mallory")
    client.force_login(mallory)
    client.get(link)
    mallory.refresh_from_db()
    assert mallory.email == "mallory@example.org"

    client.force_login(alice)
    client.get(link)
    alice.refresh_from_db()
    assert alice.email == "new@example.org"


def test_a_user_without_a_password_gives_an_address_soon_after_signing_in(client):
    alice = make_user("alice")
    alice.set_unusable_password()
    alice.save()
    client.force_login(alice)
    new = {"email": "new@example.org"}

    assert client.post("/account/", new).status_code == 302
    assert mail.outbox[-1].to == ["new@example.org"]

    User.objects.update(last_login=timezone.now() - timedelta(minutes=16))
    refused = client.post("/account/", new)
    assert refused.status_code == 400
    assert "sign in again" in refused.content.decode()
    assert len(mail.outbox) == 1


def test_an_operators_act_by_the_api_is_kept(client):
    bot = make_bot()
    operator = make_user("chef", is_staff=True)
    _, secret = accounts.issue_token(user=operator, name="desk", scope="submit")

    answer = client.post(f"/api/v1/bots/{bot.pk}/retire/", headers=bearer(secret))

    assert answer.status_code < 300
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.target) == (operator, f"/api/v1/bots/{bot.pk}/retire/")


def test_signing_up_costs_little_memory(settings):
    from django.contrib.auth.hashers import get_hashers_by_algorithm

    hasher = get_hashers_by_algorithm()["argon2"]

    assert (hasher.time_cost, hasher.memory_cost, hasher.parallelism) == (2, 19 * 1024, 1)
