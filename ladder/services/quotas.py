"""How much a user may do: counted so that two requests at once cannot share the last room."""

from __future__ import annotations

from ladder.errors import QuotaReached
from ladder.models import User
from ladder.queries.limits import Limit


def hold(user_id: int) -> None:
    """Let other requests that count what this user has wait for the transaction's end."""
    # Rows that only point to the user need not wait.
    User.objects.select_for_update(no_key=True).get(pk=user_id)


def check(user_id: int, limit: Limit) -> None:
    """Refuse one more when there are as many as there may be."""
    hold(user_id)
    if limit.is_reached:
        raise QuotaReached(limit.reached)
