"""Alice owns a bot, Bob owns another, Charlie is a stranger."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from ladder.models import Bot, Match, User
from ladder.web.http import counting
from tests.factories import make_bot, make_match, make_user
from tests.local_play import play_and_finish


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    cache.clear()
    counting.counts.clear()


@pytest.fixture
def alice(db: None) -> User:
    return make_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return make_user("bob")


@pytest.fixture
def charlie(db: None) -> User:
    return make_user("charlie")


@pytest.fixture
def miso(alice: User) -> Bot:
    return make_bot(alice, name="Miso")


@pytest.fixture
def shio(bob: User) -> Bot:
    return make_bot(bob, name="Shio")


@pytest.fixture
def played(miso: Bot, shio: Bot) -> Match:
    match = make_match(miso, shio, seed=7)
    assert play_and_finish(match)
    match.refresh_from_db()
    return match


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client
