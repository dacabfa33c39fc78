"""What users say of their notices: read, followed, wanted, and by which way."""

from __future__ import annotations

from typing import Any

from django.core import signing
from django.db import transaction
from django.utils import timezone

from ladder.boards import BOARDS
from ladder.contract.events import Kind
from ladder.errors import Code, LadderError
from ladder.models import Bot, Follow, MailPlan, Notice, NoticePreference, Tournament, User

MAX_FOLLOWS = 500
SALT = "ladder.unsubscribe"


def mark_read(*, user: User, up_to: int) -> int:
    """Mark the notices that the user was shown; how many were unread."""
    unread = Notice.objects.filter(user=user, read_at=None, pk__lte=up_to)
    return unread.update(read_at=timezone.now(), mail_due_at=None)


def follow(*, user: User, subject: str, target: str) -> None:
    """Begin to follow something that the user may see; again is no error."""
    _require(user, subject, target)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)
        if Follow.objects.filter(user=user).count() >= MAX_FOLLOWS:
            raise LadderError(
                f"You have reached the limit of {MAX_FOLLOWS} follows.", code=Code.QUOTA
            )
        Follow.objects.get_or_create(user=user, subject=subject, target=target)


def unfollow(*, user: User, subject: str, target: str) -> None:
    Follow.objects.filter(user=user, subject=subject, target=target).delete()


def _require(user: User, subject: str, target: str) -> None:
    number = int(target) if target.isascii() and target.isdigit() and len(target) < 17 else 0
    found = False
    if subject == Follow.Subject.BOT:
        found = Bot.objects.visible_to(user).filter(pk=number).exists()
    elif subject == Follow.Subject.AUTHOR:
        found = User.objects.filter(pk=number, is_active=True).exists()
    elif subject == Follow.Subject.TOURNAMENT:
        found = Tournament.objects.visible_to(user).filter(pk=number).exists()
    elif subject == Follow.Subject.BOARD:
        found = target in map(str, BOARDS)
    if not found:
        raise LadderError(f"There is no {subject or 'subject'} {target!r}.", code=Code.NOT_FOUND)


def choose(*, user: User, kind: Kind, channel: str, bot: int = 0) -> None:
    """Say where to learn of a kind of event; an empty channel takes it back."""
    if bot and not Bot.objects.filter(pk=bot, owner=user).exists():
        raise LadderError(f"Bot {bot} is not yours.", code=Code.NOT_YOURS)
    mine: dict[str, Any] = {"user": user, "kind": kind, "bot": bot}
    if not channel:
        NoticePreference.objects.filter(**mine).delete()
    elif channel not in NoticePreference.Channel.values:
        raise LadderError(f"Unknown channel {channel!r}.", code=Code.BAD_OPTIONS)
    else:
        NoticePreference.objects.update_or_create(**mine, defaults={"channel": channel})


def choose_rhythm(*, user: User, rhythm: str) -> None:
    """Say how often mail is wanted; what waits goes out by the new rhythm."""
    if rhythm not in MailPlan.Rhythm.values:
        raise LadderError(f"Unknown rhythm {rhythm!r}.", code=Code.BAD_OPTIONS)
    with transaction.atomic():
        MailPlan.objects.update_or_create(user=user, defaults={"rhythm": rhythm})
        if rhythm == MailPlan.Rhythm.NEVER:
            Notice.objects.filter(user=user, mail_due_at__isnull=False).update(mail_due_at=None)


def unsubscribe_token(user: int) -> str:
    """For the link in a mail; it never expires, as RFC 8058 wants, and can do nothing else."""
    return signing.dumps(user, salt=SALT)


def unsubscribe(token: str) -> User | None:
    """Send this user no more mail; None when the token is none of ours. Twice is no error."""
    try:
        user = User.objects.get(pk=signing.loads(token, salt=SALT))
    except (signing.BadSignature, User.DoesNotExist):
        return None
    choose_rhythm(user=user, rhythm=MailPlan.Rhythm.NEVER)
    return user
