"""Clients that forge their address, with and without proxies in front."""

import itertools
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client, RequestFactory
from rest_framework.settings import api_settings
from rest_framework.throttling import AnonRateThrottle

from ladder.api import throttling
from ladder.web.http import counting
from ladder.web.http.addresses import client_address
from ladder.web.match import replays
from tests.factories import PASSWORD, make_match, make_user

PROXY = "10.0.0.9"
FORGED = [f"203.0.113.{number}" for number in range(1, 30)]


def asked(heard: str | None, peer: str = PROXY):
    headers = {} if heard is None else {"X-Forwarded-For": heard}
    return RequestFactory().get("/", headers=headers, REMOTE_ADDR=peer)


@pytest.fixture
def counts():
    """Nothing counted before or after."""
    counting.counts.clear()
    cache.clear()
    yield
    counting.counts.clear()
    cache.clear()


@pytest.mark.parametrize("heard", [None, "1.2.3.4", "1.2.3.4, 5.6.7.8", "", ",", "x"])
def test_without_proxies_only_the_peer_counts_whatever_the_header_says(settings, heard):
    settings.TRUSTED_PROXIES = 0

    assert client_address(asked(heard)) == PROXY


@pytest.mark.parametrize(
    ("proxies", "heard", "found"),
    [
        (1, "1.2.3.4", "1.2.3.4"),
        (1, "6.6.6.6, 7.7.7.7,1.2.3.4", "1.2.3.4"),
        (2, "1.2.3.4, 10.0.0.8", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.0.0.8", "1.2.3.4"),
        (1, "::ffff:1.2.3.4", "1.2.3.4"),
        (1, "2001:db8:0:7::1", "2001:db8:0:7::/64"),
        (1, "2001:db8:0:7:ffff::2", "2001:db8:0:7::/64"),
    ],
)
def test_the_address_that_the_outermost_of_our_proxies_heard_counts(
    settings, proxies, heard, found
):
    settings.TRUSTED_PROXIES = proxies

    assert client_address(asked(heard)) == found


@pytest.mark.parametrize(
    ("proxies", "heard"),
    [
        (1, None),
        (1, ""),
        (1, "1.2.3.4,"),
        (1, "1.2.3.4, unknown"),
        (1, "1.2.3.4:80"),
        (1, "1.2.3.4\x00"),
        (1, "9" * 5000),
        (1, "1.2.3.4;5.6.7.8"),
        (2, "1.2.3.4"),
        (3, "1.2.3.4, 10.0.0.8"),
    ],
)
def test_a_header_that_is_short_or_malformed_counts_as_the_proxy(settings, proxies, heard):
    settings.TRUSTED_PROXIES = proxies

    assert client_address(asked(heard)) == PROXY


@pytest.mark.parametrize("peer", ["", "unix:"])
def test_a_peer_without_an_address_is_one_visitor(settings, peer):
    settings.TRUSTED_PROXIES = 0

    assert client_address(asked("1.2.3.4", peer)) == peer


def forged(proxies: int) -> Iterator[str]:
    """Headers as they arrive from one attacker who names a new address each time."""
    ours = ["8.8.8.8", "10.0.0.8"][:proxies]
    return (", ".join([lie, *ours]) for lie in FORGED)


@pytest.mark.parametrize("proxies", [0, 1, 2])
def test_an_attacker_cannot_try_passwords_under_forged_addresses(db, settings, counts, proxies):
    settings.TRUSTED_PROXIES = proxies
    make_user("alice")
    client = Client(REMOTE_ADDR=PROXY)

    answers = [
        client.post("/sign-in/", {"username": "alice", "password": "no"}, headers=headers)
        for headers in (
            {"X-Forwarded-For": heard} for heard in itertools.islice(forged(proxies), 7)
        )
    ]

    assert [answer.status_code for answer in answers] == [400] * 5 + [429] * 2


SIGN_UP = {"username": "..", "email": "x", "password1": "a", "password2": "b"}
LIMITED = [
    ("/sign-up/", SIGN_UP, "RATE_SIGN_UP", 400),
    ("/password/", {"email": "alice@example.org"}, "RATE_PASSWORD_RESET", 302),
]


@pytest.mark.parametrize("proxies", [0, 1, 2])
@pytest.mark.parametrize(("path", "form", "rate", "status"), LIMITED)
def test_an_attacker_cannot_flood_a_form_under_forged_addresses(
    db, settings, counts, proxies, path, form, rate, status
):
    settings.TRUSTED_PROXIES = proxies
    setattr(settings, rate, "3/hour")
    make_user("alice")
    client = Client(REMOTE_ADDR=PROXY)

    answers = [
        client.post(path, form, headers={"X-Forwarded-For": heard})
        for heard in itertools.islice(forged(proxies), 5)
    ]

    assert [answer.status_code for answer in answers] == [status] * 3 + [429] * 2
    assert answers[-1]["Retry-After"] == "3600"
    assert "Wait 60 minutes" in answers[-1].content.decode()
    assert client.get(path).status_code == 200  # only sending is counted
    assert len(mail.outbox) == (3 if status == 302 else 0)


@pytest.mark.parametrize(("path", "form", "rate", "status"), LIMITED)
def test_one_address_that_sends_a_form_too_often_keeps_no_other_waiting(
    db, settings, counts, path, form, rate, status
):
    setattr(settings, rate, "1/hour")

    answers = [
        Client(REMOTE_ADDR=address).post(path, form).status_code
        for address in ("10.0.0.1", "10.0.0.1", "10.0.0.2", "2001:db8::1", "2001:db8::2")
    ]

    assert answers == [status, 429, status, status, 429]


def test_tries_at_once_are_all_counted(counts):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: counting.count("key", 3600), range(400)))

    assert sorted(found) == list(range(1, 401))


def test_a_count_begins_anew_when_its_window_is_over_or_it_is_forgotten(counts, monkeypatch):
    assert [counting.count("key", 60) for _ in range(2)] == [1, 2]
    counting.forget("key")
    assert [counting.count("key", 60) for _ in range(2)] == [1, 2]

    later = time.time() + 61
    monkeypatch.setattr(time, "time", lambda: later)

    assert counting.count("key", 60) == 1


def test_behind_a_proxy_an_attacker_does_not_lock_others_out(db, settings, counts):
    settings.TRUSTED_PROXIES = 1
    make_user("alice")
    client = Client(REMOTE_ADDR=PROXY)
    for _ in range(6):
        wrong = {"username": "alice", "password": "no"}
        client.post("/sign-in/", wrong, headers={"X-Forwarded-For": "6.6.6.6"})

    right = {"username": "alice", "password": PASSWORD}
    answer = client.post("/sign-in/", right, headers={"X-Forwarded-For": "1.2.3.4"})

    assert answer.status_code == 302


@pytest.mark.parametrize("proxies", [0, 1, 2])
def test_an_attacker_cannot_pass_the_referees_limit_under_forged_addresses(
    db, settings, counts, monkeypatch, proxies
):
    settings.TRUSTED_PROXIES = proxies
    monkeypatch.setattr(replays, "VERIFIED_PER_MINUTE", 2)
    client = Client(REMOTE_ADDR=PROXY)
    paths = [f"/matches/{make_match().pk}/verify/" for _ in range(3)]

    statuses = [
        client.get(path, headers={"X-Forwarded-For": heard}).status_code
        for path, heard in zip(paths, forged(proxies), strict=False)
    ]

    assert statuses == [200, 200, 429]


@pytest.mark.parametrize("proxies", [0, 1, 2])
def test_an_attacker_cannot_pass_the_apis_limit_under_forged_addresses(
    db, settings, counts, monkeypatch, proxies
):
    settings.TRUSTED_PROXIES = proxies
    monkeypatch.setattr(throttling, "_rate", lambda scope: (8, 10**10))
    client = Client(REMOTE_ADDR=PROXY)

    statuses = [
        client.get("/api/v1/games/", headers={"X-Forwarded-For": heard}).status_code
        for heard in itertools.islice(forged(proxies), 20)
    ]

    assert statuses == [200] * 8 + [429] * 12


def test_behind_a_proxy_each_visitor_has_a_count_of_their_own(db, settings, counts, monkeypatch):
    settings.TRUSTED_PROXIES = 1
    monkeypatch.setattr(throttling, "_rate", lambda scope: (1, 10**10))
    client = Client(REMOTE_ADDR=PROXY)

    statuses = [
        client.get("/api/v1/games/", headers={"X-Forwarded-For": heard}).status_code
        for heard in FORGED
    ]

    assert set(statuses) == {200}


def test_a_stock_throttle_of_the_framework_believes_no_header_either():
    assert api_settings.NUM_PROXIES == 0
    assert AnonRateThrottle().get_ident(asked("1.2.3.4")) == PROXY
    assert [throttling.Throttle] == api_settings.DEFAULT_THROTTLE_CLASSES
