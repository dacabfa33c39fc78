"""What users do with their webhooks, and putting events on their way."""

from __future__ import annotations

import base64
import ipaddress
import secrets
from collections.abc import Collection
from datetime import timedelta
from urllib.parse import urlsplit

import msgspec
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from ladder.contract import example
from ladder.contract.events import Event, Kind
from ladder.errors import Code, LadderError
from ladder.models import Delivery, User, Webhook
from ladder.services.webhooks import safety
from ladder.services.webhooks.formats import body_of

MOST = 10
MOST_TESTS = 3  # examples on their way to one address
TEST = "test_"  # how their ids begin
OLD_SECRET_LIFE = timedelta(days=1)


def create(*, user: User, url: str, format: str, kinds: Collection[str] = ()) -> Webhook:
    """Begin to send the user's events to an address."""
    check_url(url)
    _check_kinds(kinds)
    if format not in Webhook.Format.values:
        raise LadderError(f"Unknown format {format!r}.", code=Code.BAD_OPTIONS)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if Webhook.objects.filter(user=user).count() >= MOST:
            raise LadderError(f"You have reached the limit of {MOST} webhooks.", code=Code.QUOTA)
        return Webhook.objects.create(
            user=user,
            url=url,
            format=format,
            kinds=sorted(kinds),
            is_routine=Kind.MATCH_FINISHED in kinds,
            secret=_new_secret(),
        )


def check_url(url: str) -> None:
    """What can be seen without asking the network; the rest is checked at every connection."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port
    except ValueError:
        raise LadderError("The address is not valid.", code=Code.BAD_OPTIONS) from None
    schemes = ("https", "http") if settings.WEBHOOK_ALLOW_LOOPBACK else ("https",)
    if parts.scheme not in schemes or not host or len(url) > 500 or not url.isprintable():
        raise LadderError("Write an address that begins with https://.", code=Code.BAD_OPTIONS)
    if parts.username or parts.password:
        raise LadderError(
            "The address must not contain a user name or password.", code=Code.BAD_OPTIONS
        )
    try:
        ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return
    try:
        safety.require_public(host)
    except safety.Refused as error:
        raise LadderError(str(error), code=Code.BAD_OPTIONS) from None


def _check_kinds(kinds: Collection[str]) -> None:
    unknown = sorted(set(kinds) - {kind.value for kind in Kind})
    if unknown:
        raise LadderError(f"Unknown kind {unknown[0]!r}.", code=Code.BAD_OPTIONS)


def rotate(hook: Webhook) -> None:
    """A new secret; the old one signs too for a day, so that a receiver can change over."""
    Webhook.objects.filter(pk=hook.pk).update(
        secret=_new_secret(),
        old_secret=hook.secret,
        old_secret_until=timezone.now() + OLD_SECRET_LIFE,
    )


def _new_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"


def remove(hook: Webhook) -> None:
    hook.delete()


def enable(hook: Webhook) -> None:
    Webhook.objects.filter(pk=hook.pk).update(
        disabled_at=None, disabled_reason="", failing_since=None
    )


def send_test(hook: Webhook) -> Delivery:
    """Put an example on its way, unless several are on theirs."""
    pending = Delivery.objects.filter(webhook=hook, due_at__isnull=False)
    if pending.filter(message__startswith=TEST).count() >= MOST_TESTS:
        raise LadderError(
            f"{MOST_TESTS} examples are on their way already. Wait until they have arrived.",
            code=Code.QUOTA,
        )
    event = msgspec.convert(example(Event), Event)
    number = f"{TEST}{secrets.token_hex(8)}"
    return _queue(hook, number, event)


def send_again(delivery: Delivery) -> None:
    """Try a delivery again, under the same id; later ones do not wait for one that was over."""
    again = Delivery.objects.filter(pk=delivery.pk)
    again.filter(due_at=None).update(subject="")
    again.update(state=Delivery.State.PENDING, attempts=0, due_at=timezone.now())


def has_routine() -> bool:
    """Whether any webhook wants every match; if none does, nobody asks whom a match concerns."""
    return Webhook.objects.filter(disabled_at=None, is_routine=True).exists()


def send_event(event: Event, users: Collection[int], *, is_news: bool) -> None:
    """Put an event on its way to the webhooks of those whom it concerns."""
    hooks = Webhook.objects.filter(user__in=users, disabled_at=None)
    for hook in hooks if is_news else hooks.filter(is_routine=True):
        if not hook.kinds or event.kind in hook.kinds:
            _queue(hook, f"evt_{event.id}", event)


def _queue(hook: Webhook, message: str, event: Event) -> Delivery:
    delivery, _ = Delivery.objects.get_or_create(
        webhook=hook,
        message=message,
        defaults={
            "kind": event.kind,
            "subject": "" if message.startswith(TEST) else event.subject,
            "body": body_of(event, hook.format, settings.SITE_URL),
            "due_at": timezone.now(),
        },
    )
    return delivery
