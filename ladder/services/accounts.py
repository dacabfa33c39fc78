"""What happens to users."""

from datetime import timedelta

from django.db import IntegrityError, transaction
from django.utils import timezone

from ladder.models import Bot, Token, User
from ladder.services import matches, quotas, ratings

MAX_TOKENS = 50
SEEN_EVERY = timedelta(minutes=1)  # so that a busy client does not write a row per request


def issue_token(*, user: User, name: str, scope: str) -> tuple[Token, str]:
    """A new token and its secret, which is never seen again."""
    with transaction.atomic():
        quotas.check(
            user.pk,
            user.tokens.unexpired(),
            MAX_TOKENS,
            "You have {count} tokens, which is the most; revoke one first.",
        )
        return Token.issue(user=user, name=name, scope=scope)


def use_token(secret: str) -> Token | None:
    """The live token of that secret, if any; it is noted when it was last used."""
    token = Token.objects.by_secret(secret)
    now = timezone.now()
    if token and (token.last_used_at is None or token.last_used_at < now - SEEN_EVERY):
        Token.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


def revoke_token(*, user: User, pk: int) -> bool:
    """End one of the user's tokens for good; False when there is none such."""
    live = Token.objects.filter(pk=pk, user=user, revoked_at=None)
    return bool(live.update(revoked_at=timezone.now()))


def set_address(user: User, email: str) -> bool:
    """Store a confirmed address; False when another account has taken it meanwhile."""
    try:
        with transaction.atomic():
            User.objects.filter(pk=user.pk).update(email=email)
    except IntegrityError:
        return False
    return True


def revoke_all(user: User) -> int:
    """End all tokens of a user whose password was lost: a finder may have made some of them."""
    return user.tokens.filter(revoked_at=None).update(revoked_at=timezone.now())


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
