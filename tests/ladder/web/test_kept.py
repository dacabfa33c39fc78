"""Pages that strangers share for a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client

from ladder.models import Bot, Match, User
from tests.factories import PASSWORD, make_user
from tests.ladder.web.conftest import signed_in


@pytest.fixture(autouse=True)
def _kept(settings: Any) -> Iterator[None]:
    settings.PAGES_KEPT_SECONDS = 600
    caches["pages"].clear()
    yield
    caches["pages"].clear()


def test_the_second_stranger_costs_no_query(
    played: Match, django_assert_num_queries: Callable[..., Any]
) -> None:
    address = f"/matches/{played.pk}/"
    first = Client().get(address)
    with django_assert_num_queries(0):
        second = Client().get(address)

    assert second.content == first.content
    assert second["Content-Security-Policy"] == first["Content-Security-Policy"]
    assert second["X-Frame-Options"] == "DENY"


def test_whoever_is_signed_in_has_pages_of_their_own(miso: Bot, alice: User) -> None:
    address = f"/bots/{miso.pk}/"
    stranger = Client().get(address).content.decode()
    own = signed_in(alice).get(address).content.decode()
    again = Client().get(address).content.decode()

    assert "Settings" in own
    assert "Settings" not in stranger
    assert again == stranger


def test_themes_fragments_and_addresses_are_kept_apart(played: Match, settings: Any) -> None:
    plain = Client().get("/").content.decode()
    dark = Client()
    dark.cookies["theme"] = "dark"

    assert 'data-theme="dark"' not in plain
    assert 'data-theme="dark"' in dark.get("/").content.decode()
    assert "<html" not in Client().get("/", headers={"HX-Request": "true"}).content.decode()
    settings.ALLOWED_HOSTS = ["testserver"]
    assert Client().get("/", headers={"Host": "evil.example"}).status_code == 400


def test_a_form_is_never_shared(db: None) -> None:
    tokens = {Client().get("/sign-in/").cookies["csrftoken"].value for _ in range(3)}

    assert len(tokens) == 3


def test_that_there_is_nothing_is_not_kept(db: None) -> None:
    assert Client().get("/users/dora/").status_code == 404
    make_user("dora")

    assert Client().get("/users/dora/").status_code == 200


def test_signing_in_and_out_changes_the_very_next_page(alice: User) -> None:
    visitor = Client()
    visitor.get("/")
    visitor.post("/sign-in/", {"username": "alice", "password": PASSWORD})
    assert "alice" in visitor.get("/").content.decode()
    visitor.post("/sign-out/")
    assert "Sign in" in visitor.get("/").content.decode()


def test_answers_of_the_api_are_not_kept_since_requests_are_counted(
    played: Match, django_assert_num_queries: Callable[..., Any]
) -> None:
    Client().get("/api/v1/matches/")
    with pytest.raises(pytest.fail.Exception), django_assert_num_queries(0):
        Client().get("/api/v1/matches/")
