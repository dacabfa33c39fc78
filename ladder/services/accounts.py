"""What happens to users."""

from datetime import timedelta

import structlog
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
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

from ladder.errors import Code, LadderError, NotAllowed
from ladder.models import (
    Bot,
    Mail,
    MailPlan,
    NoticePreference,
    Person,
    PuzzleAnswer,
    RemoteBot,
    Solver,
    Tournament,
)
from ladder.models import Token as Token  # pages and API name these by this module
from ladder.models import User as User
from ladder.models.account import USERNAME as USERNAME
from ladder.queries import limits
from ladder.queries.accounts import DELETED
from ladder.services import bots, kept_plays, matches, quotas, sessions
from ladder.services.rating import ratings

log = structlog.get_logger(__name__)

LONGEST_PROFILE = 2000
ADDRESS_SALT = "ladder.address"
ADDRESS_SECONDS = 24 * 3600
SEEN_EVERY = timedelta(minutes=1)  # so that a busy client does not write a row per request


def issue_token(*, user: User, name: str, scope: str) -> tuple[Token, str]:
    """A new token and its secret, which is never seen again."""
    with transaction.atomic():
        quotas.check(user.pk, limits.tokens(user.pk))
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

    The answer is the same whether another account has the address or not; that account's
    owner is informed by mail.
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


def save_profile(*, user: User, text: str) -> None:
    """Store what a user says about themselves, in Markdown."""
    text = text.strip().replace("\r\n", "\n")
    if len(text) > LONGEST_PROFILE:
        raise LadderError(
            f"A profile has up to {LONGEST_PROFILE} characters. Yours has {len(text)}.",
            code=Code.TOO_LONG,
        )
    User.objects.filter(pk=user.pk).update(profile=text)


def delete_own(*, user: User) -> None:
    """Delete an account for its user.

    Bots are retired; matches, replays and tournaments stay, under a name that says only that
    the account was deleted. Everything else that is the user's is removed.
    """
    if user.is_staff:
        raise NotAllowed("Operators cannot delete their own account. Ask another operator.")
    over = [Tournament.Status.FINISHED, Tournament.Status.CANCELLED]
    running = user.tournaments.exclude(status__in=over).first()
    if running is not None:
        raise LadderError(
            f"You organise the tournament {running.name}, which is not over. Cancel it first.",
            code=Code.REFUSED,
        )
    with transaction.atomic():
        quotas.hold(user.pk)
        for play in user.kept_plays.all():
            kept_plays.remove(play.pk)  # with its file
        for bot in Bot.objects.filter(owner=user):
            if bot.status != Bot.Status.SUSPENDED:
                bots.retire(bot=bot)
            bot.publishers.all().delete()
        Bot.objects.filter(owner=user).update(
            is_source_public=False, description="", homepage="", licence=""
        )
        sessions.end_others(user=user, key=None)
        for rows in (
            *(user.tokens, user.drafts, user.shared_drafts, user.notices, user.follows),
            *(user.webhooks, user.daily_tries, user.seen_addresses),
        ):
            rows.all().delete()
        for own in (PuzzleAnswer, Solver, NoticePreference, MailPlan, Mail):
            own._default_manager.filter(user=user).delete()
        RemoteBot.objects.filter(bot__owner=user).update(
            description="", prefix="", digest=None, token_made_at=None
        )
        Person.objects.filter(user=user).update(name=f"{DELETED}{user.pk}")
        for other in (SocialAccount, EmailAddress, Authenticator):
            other.objects.filter(user=user).delete()
        user.username = f"{DELETED}{user.pk}"
        user.email = user.profile = user.first_name = user.last_name = ""
        user.is_active = False
        user.deleted_at = timezone.now()
        user.set_unusable_password()
        user.save()
    log.info("account deleted by its user", user=user.pk)


def _set_suspended(user: User, suspended: bool) -> None:
    with transaction.atomic():
        user.is_suspended = suspended
        user.save(update_fields=["is_suspended"])
        for bot in Bot.objects.filter(owner=user):
            ratings.relist(bot)
            if suspended:
                matches.cancel_waiting(bot, rated=True)
