"""Sending deliveries: eight attempts over about a day, each signed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any

import httpcore
import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef, Q
from django.utils import timezone
from standardwebhooks import Webhook as Signer

from ladder.contract.events import Audience, Facts, Kind
from ladder.models import Delivery, Webhook
from ladder.services.events.outbox import Draft, record
from ladder.services.webhooks import safety

log = structlog.get_logger(__name__)

# After each failed attempt but the last: in all about a day.
WAITS = [timedelta(seconds=seconds) for seconds in (5, 300, 1800, 7200, 18_000, 28_800, 28_800)]
ATTEMPTS = len(WAITS) + 1
LEASE = timedelta(minutes=2)  # longer than an attempt may take
PATIENCE = timedelta(days=5)
GONE = 410
AT_ONCE = 16
MOST_OF_ONE_USER = 4
KEPT_FOR_FAILING = 4  # of those at once, while addresses that answer have more than enough to get

Run = Callable[[Callable[[Delivery], None], Iterable[Delivery]], Iterable[Any]]


def send_due(run: Run = map) -> int:
    """Send what is due, one delivery of each webhook at a time; how many were tried."""
    chosen = Delivery.objects.select_related("webhook").in_bulk(_choose())
    list(run(attempt, chosen.values()))
    return len(chosen)


def _choose() -> list[int]:
    """The oldest delivery of some webhooks, drawn so that no user or slow server has all turns.

    One whose subject has an earlier delivery under way or to be retried waits for that one.
    """
    earlier = Delivery.objects.filter(
        webhook=OuterRef("webhook"),
        subject=OuterRef("subject"),
        due_at__isnull=False,
        pk__lt=OuterRef("pk"),
    )
    is_free = Q(subject="") | ~Exists(earlier)
    due = Delivery.objects.filter(is_free, due_at__lte=timezone.now())
    hooks = due.order_by().values_list("webhook__user", "webhook__failing_since")
    rows = list(hooks.annotate(oldest=Min("pk"), hook=F("webhook")))
    random.shuffle(rows)
    of_user: Counter[int] = Counter()
    answering: list[int] = []
    failing: list[int] = []
    for user, failing_since, oldest, _ in rows:
        of_user[user] += 1
        if of_user[user] <= MOST_OF_ONE_USER:
            (answering if failing_since is None else failing).append(oldest)
    first = answering[: AT_ONCE - min(KEPT_FOR_FAILING, len(failing))]
    return first + failing[: AT_ONCE - len(first)]


def attempt(delivery: Delivery) -> None:
    """One attempt, if no other process has taken it."""
    hook = delivery.webhook
    if hook.disabled_at is not None:
        Delivery.objects.filter(pk=delivery.pk).update(due_at=None, state=Delivery.State.FAILED)
        return
    own = Delivery.objects.filter(
        pk=delivery.pk, attempts=delivery.attempts, due_at=delivery.due_at
    )
    now = timezone.now()
    if not own.update(due_at=now + LEASE, attempts=delivery.attempts + 1, tried_at=now):
        return
    delivery.attempts += 1
    status, problem = None, ""
    try:
        status = safety.post(hook.url, delivery.body.encode(), headers_of(delivery, hook))
    except safety.Refused as error:
        problem = str(error)
    except (httpcore.TimeoutException, TimeoutError):
        problem = "The server took too long."
    except (httpcore.NetworkError, httpcore.ProtocolError, OSError) as error:
        problem = f"The connection failed: {error}"[:200]
    except Exception as error:
        log.exception("webhook failed", delivery=delivery.pk)
        problem = f"The request failed: {type(error).__name__}."
    if status is not None and not 200 <= status < 300:
        problem = _refusal(status)
    _note(delivery, hook, status, problem)


def _refusal(status: int) -> str:
    if 300 <= status < 400:
        return f"The server redirects ({status}), which is not followed."
    return f"The server answered {status}."


def headers_of(delivery: Delivery, hook: Webhook) -> dict[str, str]:
    """As Standard Webhooks has them; while a secret is changed, both sign."""
    headers = {"Content-Type": "application/json", "User-Agent": "Ladle-Webhooks/1"}
    if hook.format != Webhook.Format.STANDARD:
        return headers
    now = timezone.now()
    secrets = [hook.secret]
    if hook.old_secret and hook.old_secret_until and hook.old_secret_until > now:
        secrets.append(hook.old_secret)
    signatures = [Signer(secret).sign(delivery.message, now, delivery.body) for secret in secrets]
    return headers | {
        "webhook-id": delivery.message,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _note(delivery: Delivery, hook: Webhook, status: int | None, problem: str) -> None:
    """Write down what came of an attempt, and disable an address that is gone or long dead."""
    now = timezone.now()
    is_last = delivery.attempts >= ATTEMPTS or status == GONE
    state = Delivery.State.DELIVERED
    if problem:
        state = Delivery.State.FAILED if is_last else Delivery.State.PENDING
    waits = problem and not is_last
    with transaction.atomic():
        Delivery.objects.filter(pk=delivery.pk).update(
            state=state,
            status=status,
            problem=problem[:200],
            due_at=now + WAITS[delivery.attempts - 1] if waits else None,
        )
        if not problem:
            Webhook.objects.filter(pk=hook.pk).exclude(failing_since=None).update(
                failing_since=None
            )
            return
        Webhook.objects.filter(pk=hook.pk, failing_since=None).update(failing_since=now)
        hook.refresh_from_db()
        if status == GONE:
            _disable(hook, "The server answered 410: the address is gone.")
        elif hook.failing_since is not None and hook.failing_since < now - PATIENCE:
            _disable(hook, f"Nothing could be delivered for {PATIENCE.days} days: {problem}")


def _disable(hook: Webhook, reason: str) -> None:
    """Within a transaction: no more is sent, and the user gets a notice."""
    on = Webhook.objects.filter(pk=hook.pk, disabled_at=None)
    if not on.update(disabled_at=timezone.now(), disabled_reason=reason[:200]):
        return
    Delivery.objects.filter(webhook=hook, due_at__isnull=False).update(
        due_at=None, state=Delivery.State.FAILED, problem="The webhook was disabled."
    )
    host = hook.url.split("/")[2]
    facts = Facts(reason=f"{host}: {reason}")
    record([Draft(Kind.WEBHOOK_DISABLED, facts, Audience.OWNER, owner=hook.user_id)])


def forget_old() -> None:
    """Drop what was delivered or given up before the retention of events."""
    if settings.KEEP_EVENTS_DAYS:
        too_old = timezone.now() - timedelta(days=settings.KEEP_EVENTS_DAYS)
        oldest = Delivery.objects.filter(created_at__lt=too_old, due_at=None).order_by("pk")
        Delivery.objects.filter(pk__in=list(oldest.values_list("pk", flat=True)[:1000])).delete()
