"""What happens to users."""

from django.db import transaction

from ladder.errors import QuotaReached
from ladder.models import Bot, Token, User
from ladder.services import matches, quotas, ratings

MAX_TOKENS = 50


def issue_token(*, user: User, name: str, scope: str) -> tuple[Token, str]:
    """A new token and its secret, which is never seen again."""
    with transaction.atomic():
        quotas.hold(user.pk)
        held = user.tokens.filter(revoked_at=None).count()
        if held >= MAX_TOKENS:
            raise QuotaReached(f"You have {held} tokens, which is the most; revoke one first.")
        return Token.issue(user=user, name=name, scope=scope)


def suspend(user: User) -> None:
    """The user is signed out, tokens stop working, and their bots leave the ladders."""
    _set_suspended(user, True)


def bring_back(user: User) -> None:
    _set_suspended(user, False)


def _set_suspended(user: User, suspended: bool) -> None:
    with transaction.atomic():
        user.is_suspended = suspended
        user.save(update_fields=["is_suspended"])
        for bot in Bot.objects.filter(owner=user):
            ratings.relist(bot)
            if suspended:
                matches.cancel_waiting(bot)
