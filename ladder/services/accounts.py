"""What happens to users."""

from datetime import timedelta

import structlog
from django.conf import settings
from django.core import signing
from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError
from django.db.models.functions import Lower
from django.db.models.lookups import Exact
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from ladder.errors import Code, LadderError
from ladder.models import Bot
from ladder.models import Token as Token  # pages and API name these by this module
from ladder.models import User as User
from ladder.models.account import USERNAME as USERNAME
from ladder.queries.limits import Limit
from ladder.services import kept_plays, matches, quotas
from ladder.services.rating import ratings

log = structlog.get_logger(__name__)

MAX_TOKENS = 50
ADDRESS_SALT = "ladder.address"
ADDRESS_SECONDS = 24 * 3600
SEEN_EVERY = timedelta(minutes=1)  # so that a busy client does not write a row per request


def issue_token(*, user: User, name: str, scope: str) -> tuple[Token, str]:
    """A new token and its secret, which is never seen again."""
    with transaction.atomic():
        most = "You have reached the limit of {count} tokens. Revoke one first."
        quotas.check(user.pk, Limit(user.tokens.unexpired(), MAX_TOKENS, most))
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


def claim_address(user: User, email: str) -> bool:
    """Send a mail there that must be answered before the address counts; False if none goes out.

    Whoever asks is told the same whether another account has the address or not; that account's
    owner is told in the mail.
    """
    claim = signing.dumps({"user": user.pk, "email": email}, salt=ADDRESS_SALT)
    is_taken = (
        User.objects.filter(Exact(Lower("email"), email.lower())).exclude(pk=user.pk).exists()
    )
    context = {
        "user": user,
        "is_taken": is_taken,
        "link": f"{settings.SITE_URL}{reverse('address-confirm', args=[claim])}",
        "reset": f"{settings.SITE_URL}{reverse('password-reset')}",
    }
    text = render_to_string("ladder/account/address_email.txt", context)
    try:
        return bool(send_mail("Your address on Ladle", text, None, [email]))
    except OSError as error:  # as SMTP's own errors are
        log.warning("mail not sent", error=str(error))
        return False


def confirm_address(user: User, claim: str) -> bool:
    """Store the address whose mail was answered; False if the claim does not hold any more."""
    try:
        data = signing.loads(claim, salt=ADDRESS_SALT, max_age=ADDRESS_SECONDS)
        if data["user"] != user.pk:
            return False
        with transaction.atomic():
            User.objects.filter(pk=user.pk).update(email=data["email"])
    except (signing.BadSignature, IntegrityError):
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


def delete(user: User) -> None:
    """Remove an account; who has left something that others look at can only be suspended."""
    try:
        with transaction.atomic():
            for play in user.kept_plays.all():
                kept_plays.remove(play.pk)  # with its file
            User.objects.filter(pk=user.pk).delete()
    except ProtectedError:
        raise LadderError(
            f"{user} has bots, tournaments or acts on record: suspend the account instead.",
            code=Code.REFUSED,
        ) from None


def _set_suspended(user: User, suspended: bool) -> None:
    with transaction.atomic():
        user.is_suspended = suspended
        user.save(update_fields=["is_suspended"])
        for bot in Bot.objects.filter(owner=user):
            ratings.relist(bot)
            if suspended:
                matches.cancel_waiting(bot, rated=True)
