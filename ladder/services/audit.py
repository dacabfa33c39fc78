"""What operators did, and by which door."""

from typing import Any

from ladder.models import AuditEntry


def api_request(user: Any, method: str, path: str) -> None:
    """Keep an operator's request that changed something; other users' are their own affair."""
    if user.is_authenticated and user.is_staff:
        AuditEntry.objects.create(
            actor=user, verb=f"API {method}", target=path[:120], why="by the API"
        )
