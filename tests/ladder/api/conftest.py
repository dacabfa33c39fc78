"""A small kitchen to ask about: Alice owns a bot that has played, Charlie is a stranger."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import Client

from ladder.models import Bot, Match, Tick, Token, Tournament, Trial, User
from ladder.services import tournaments, trials
from ladder.services.rating import fitting
from tests.factories import DUEL, make_bot, make_match, make_user, make_version
from tests.local_play import play_and_finish

API = "/api/v1/"


@dataclass
class Asker:
    """Someone who asks: nobody, a user by a token, or one who is signed in on the site."""

    user: User | None
    secret: str = ""

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        client = Client(raise_request_exception=True)
        if self.secret:
            headers.setdefault("Authorization", f"Bearer {self.secret}")
        elif self.user:
            client.force_login(self.user)
        if body is None:
            given = {}
        elif isinstance(body, bytes):
            given = {"data": body, "content_type": headers.pop("Content_Type")}
        else:
            given = {"data": json.dumps(body), "content_type": "application/json"}
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.generic(
            method, path if path[0] == "/" else API + path, headers=named, **given
        )

    def get(self, path: str, **headers: str) -> Any:
        return self("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        return self("POST", path, {} if body is None else body, **headers)


def asker(user: User, scope: str = Token.Scope.SUBMIT) -> Asker:
    return Asker(user, Token.issue(user=user, name="test", scope=scope)[1])


@dataclass
class Kitchen:
    alice: User
    bot: Bot
    rival: Bot
    match: Match
    trial: Trial
    token: Token
    spare: Bot  # Alice's, not enrolled
    tournament: Tournament  # Alice's; Wok and Rival are enrolled


def make_kitchen() -> Kitchen:
    alice = make_user("alice")
    bot = make_bot(alice, name="Wok")
    rival = make_bot(make_user("bob"), name="Rival")
    match = make_match(bot, rival)
    assert play_and_finish(match)
    match.entries.filter(slot=0).update(printed=[[1, 1, 0, "alice's secret plan"]])
    make_version(bot)
    old, new = bot.versions.order_by("number")
    trial = trials.start(by=alice, old=old, new=new, seats=2, promote=False)
    token, _ = Token.issue(user=alice, name="laptop", scope=Token.Scope.READ)
    spare = make_bot(alice, name="Spare")
    cup = tournaments.create(
        by=alice, board=DUEL, name="Spring Soup", format="round_robin", seeding="manual"
    )
    for one in (bot, rival):
        tournaments.enrol(tournament=cup, bot=one, by=one.owner)
    return Kitchen(alice, bot, rival, match, trial, token, spare, cup)


def rate_some_ticks(*bots: Bot, ticks: int = 2) -> None:
    """Play and rate one ladder match of the bots in each of some ticks."""
    for number in range(1, ticks + 1):
        tick = Tick.objects.create(game=DUEL.game, seats=DUEL.seats, number=number)
        match = make_match(*bots, kind=Match.Kind.LADDER, tick=tick, seed=number)
        assert play_and_finish(match)
        assert fitting.rate_ready_ticks() == [tick]


@pytest.fixture
def kitchen(db: None) -> Kitchen:
    return make_kitchen()


@pytest.fixture
def anyone() -> Asker:
    return Asker(None)


@pytest.fixture
def alice(kitchen: Kitchen) -> Asker:
    return asker(kitchen.alice)


@pytest.fixture
def alice_signed_in(kitchen: Kitchen) -> Asker:
    return Asker(kitchen.alice)


@pytest.fixture
def charlie(db: None) -> Asker:
    return asker(make_user("charlie"))


@pytest.fixture
def staff(db: None) -> Asker:
    return asker(make_user("chef", is_staff=True))


@pytest.fixture
def code() -> Callable[[Any], str]:
    """The stable code of a problem answer."""

    def of(response: Any) -> str:
        assert response["Content-Type"] == "application/problem+json"
        told = response.json()
        assert told["status"] == response.status_code
        assert told["type"] == f"urn:ladle:problem:{told['code']}"
        return told["code"]

    return of
