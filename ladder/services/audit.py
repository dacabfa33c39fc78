"""What operators did, and by which door."""

from typing import Any

from ladder.models import AuditEntry


def request(user: Any, door: str, method: str, path: str) -> None:
    """Keep an operator's request that changed something; other users' are their own affair."""
    if user.is_authenticated and user.is_staff:
        AuditEntry.objects.create(
            actor=user, verb=f"{door} {method}", target=path[:120], why=f"by the {door}"
        )
