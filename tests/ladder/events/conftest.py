"""Alice has a bot, Bob looks on; a mail server that keeps what it gets."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import default as MODERN
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from django.db import transaction

from ladder.contract.events import EventBot, Facts, Kind
from ladder.models import Bot, User
from ladder.services.events import dispatch
from ladder.services.events.outbox import Draft, record
from tests.factories import make_bot, make_user


@pytest.fixture
def alice(db: None) -> User:
    return make_user("alice")


@pytest.fixture
def bob(db: None) -> User:
    return make_user("bob")


@pytest.fixture
def miso(alice: User) -> Bot:
    return make_bot(alice, name="Miso")


def happen(kind: Kind, bot: Bot, **fields: Any) -> None:
    """Record an event about a bot, and hand it on."""
    facts = Facts(
        bots=[EventBot(id=bot.pk, name=bot.name, version=1)],
        reason=fields.pop("reason", "a test"),
        match_kind="ladder",
    )
    with transaction.atomic():
        record([Draft(kind, facts, **{"owner": bot.owner_id, **fields})])
    dispatch.dispatch_all()


class Inbox:
    """What a mail server took in."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.mails.append(BytesParser(policy=MODERN).parsebytes(envelope.content))
        return "250 OK"


@pytest.fixture
def inbox(settings: Any) -> Iterator[Inbox]:
    """A real mail server, and the site set up for it."""
    kept = Inbox()
    controller = Controller(kept, hostname="127.0.0.1", port=0)
    controller.port = _free_port()
    controller.start()
    _use(settings, controller.port)
    yield kept
    controller.stop()


@pytest.fixture
def silent_server(settings: Any) -> Iterator[None]:
    """A mail server that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        _use(settings, listening.getsockname()[1])
        settings.EMAIL_TIMEOUT = 1
        yield


def _use(settings: Any, port: int) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_USE_TLS = False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
