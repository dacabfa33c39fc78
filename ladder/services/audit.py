"""What operators did, and by which door."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from ladder.models import AuditEntry, User
from ladder.services.events import reporting


def request(user: User | AnonymousUser, door: str, method: str, path: str) -> None:
    """Keep an operator's request that changed something; other users' are their own affair."""
    if user.is_authenticated and user.is_staff:
        _keep(
            AuditEntry(actor=user, verb=f"{door} {method}", target=path[:120], why=f"by the {door}")
        )


def act(actor: User, verb: str, target: Any, why: str) -> None:
    """Keep what an operator did to a row, and why."""
    name = f"{target._meta.model_name} {target.pk} {target}"[:120]
    _keep(AuditEntry(actor=actor, verb=verb, target=name, why=why))


def _keep(entry: AuditEntry) -> None:
    with transaction.atomic():
        entry.save()
        reporting.operator_acted(entry)
