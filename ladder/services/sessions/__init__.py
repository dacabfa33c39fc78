"""Sessions of users: noted when they sign in, ended all at once."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.db import transaction
from django.dispatch import receiver
from django.http import HttpRequest

from ladder.models import SignedIn, User


def end_others(*, user: User, key: str | None) -> int:
    """End all sessions of a user but the one with this key; how many there were."""
    with transaction.atomic():
        others = SignedIn.objects.filter(user=user).exclude(session_key=key or "")
        keys = list(others.values_list("session_key", flat=True))
        count, _ = Session.objects.filter(session_key__in=keys).delete()
        others.delete()
    return count


def moved(*, old: str | None, new: str | None) -> None:
    """A session goes on under a new key, as after a new password: it stays listed."""
    if old and new:
        SignedIn.objects.filter(session_key=old).update(session_key=new)


def forget_ended() -> int:
    """Drop the notes of sessions that are over."""
    alive = Session.objects.values("session_key")
    count, _ = SignedIn.objects.exclude(session_key__in=alive).delete()
    return count


@receiver(user_logged_in, dispatch_uid="note session")
def _note(sender: Any, request: HttpRequest | None, user: User, **kwargs: Any) -> None:
    key = request.session.session_key if request is not None else None
    if request is None or key is None:
        return
    agent = "".join(sign for sign in request.headers.get("User-Agent", "") if sign.isprintable())
    SignedIn.objects.update_or_create(
        session_key=key, defaults={"user": user, "agent": agent[:160]}
    )


@receiver(user_logged_out, dispatch_uid="forget session")
def _forget(sender: Any, request: HttpRequest | None, **kwargs: Any) -> None:
    if request is not None and request.session.session_key:
        SignedIn.objects.filter(session_key=request.session.session_key).delete()
