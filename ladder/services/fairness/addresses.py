"""Which accounts were used from one address, as far as this site keeps that."""

from __future__ import annotations

from collections import defaultdict
from datetime import timedelta

from django.conf import settings
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.crypto import salted_hmac

from ladder.models import SeenAddress, User


def note_address(user: User, address: str) -> None:
    """Note that an account was used from an address, as a hash that only this site can make."""
    if not settings.KEEP_ADDRESS_DAYS or not address:
        return
    digest = salted_hmac("ladder.seen_address", address, algorithm="sha256").hexdigest()[:32]
    now = timezone.now()
    SeenAddress.objects.update_or_create(
        user=user,
        digest=digest,
        defaults={"last_at": now},
        create_defaults={"first_at": now, "last_at": now},
    )


def forget_addresses() -> None:
    """Drop what is older than this site keeps it."""
    too_old = Now() - timedelta(days=settings.KEEP_ADDRESS_DAYS)
    SeenAddress.objects.filter(last_at__lt=too_old).delete()


def clusters() -> dict[int, int]:
    """Accounts that share an address, each with the lowest account of those linked to it."""
    by_address: dict[str, list[int]] = defaultdict(list)
    for digest, user in SeenAddress.objects.order_by("user").values_list("digest", "user"):
        by_address[digest].append(user)
    first: dict[int, int] = {}

    def root(user: int) -> int:
        while first.setdefault(user, user) != user:
            user = first[user]
        return user

    for users in by_address.values():
        for user in users[1:]:
            low, high = sorted((root(users[0]), root(user)))
            first[high] = low
    return {user: root(user) for user in first}
