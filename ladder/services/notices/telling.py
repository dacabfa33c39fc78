"""Making notices of events, as each user wants them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from ladder.contract.events import Event, Kind
from ladder.models import Event as EventRow
from ladder.models import MailPlan, Notice, NoticePreference, User

Channel, Rhythm = NoticePreference.Channel, MailPlan.Rhythm

# What is worth a mail unless the user says otherwise: somebody waits for an answer, or must act.
MAILED = {
    *(Kind.VERSION_REJECTED, Kind.VERSION_BENCHED, Kind.TRIAL_DECIDED),
    *(Kind.TOURNAMENT_INVITED, Kind.TOURNAMENT_CHECK_IN, Kind.WEBHOOK_DISABLED),
}
# What comes again and again: one notice with a count while it is unread.
REPEATED = {Kind.MATCH_FAULTED, Kind.BOT_OVERTAKEN, Kind.TOURNAMENT_ROUND, Kind.OPERATOR_ACTED}
DIGEST_HOUR = 7  # UTC


def default_channel(kind: Kind) -> str:
    return Channel.MAIL if kind in MAILED else Channel.SITE


def tell(row: EventRow, event: Event, users: Collection[int]) -> None:
    """A notice for each of the users who wants one."""
    channels = _channels(users, event.kind, row.bot or 0)
    wanted = [user for user in users if channels[user] != Channel.OFF]
    mailed = [user for user in wanted if channels[user] == Channel.MAIL]
    due = _mail_times(mailed)
    for user in wanted:
        if event.kind in REPEATED and _repeat(user, row, event):
            continue
        Notice.objects.create(
            user_id=user,
            kind=event.kind,
            bot=row.bot,
            event=event.id,
            text=event.text,
            page=event.page,
            at=event.at,
            mail_due_at=due.get(user),
        )


def forget_old(batch: int = 5000) -> int:
    """Drop notices past this site's retention, in batches; how many went."""
    if not settings.KEEP_NOTICES_DAYS:
        return 0
    too_old = timezone.now() - timedelta(days=settings.KEEP_NOTICES_DAYS)
    oldest = Notice.objects.order_by("pk").values_list("pk", "at")[:batch]
    gone = [pk for pk, at in oldest if at < too_old]
    Notice.objects.filter(pk__in=gone).delete()
    return len(gone)


def _repeat(user: int, row: EventRow, event: Event) -> bool:
    """Count one more of the same; False when the user has read the last one."""
    unread = Notice.objects.filter(user=user, kind=event.kind, bot=row.bot, read_at=None)
    if row.kind == Kind.TOURNAMENT_ROUND:
        unread = unread.filter(page=event.page)
    newest = unread.order_by("-pk").first()
    if newest is None:
        return False
    Notice.objects.filter(pk=newest.pk).update(
        count=F("count") + 1, event=event.id, text=event.text, page=event.page, at=event.at
    )
    return True


def _channels(users: Collection[int], kind: Kind, bot: int) -> dict[int, str]:
    """Where each user wants to learn of it: what was said for the bot counts before the rest."""
    found = dict.fromkeys(users, default_channel(kind))
    chosen = NoticePreference.objects.filter(user__in=users, kind=kind, bot__in={0, bot})
    for user, channel in chosen.order_by("bot").values_list("user", "channel"):
        found[user] = channel
    return found


def _mail_times(users: Collection[int]) -> dict[int, datetime]:
    """When the mail of each user who gets any is due. Only confirmed addresses are stored."""
    if not settings.EMAIL_HOST or not users:
        return {}
    plans = dict(MailPlan.objects.filter(user__in=users).values_list("user", "rhythm"))
    with_address = User.objects.filter(pk__in=users).exclude(email="")
    now = timezone.now()
    rhythms = {
        user: plans.get(user, Rhythm.NOW) for user in with_address.values_list("pk", flat=True)
    }
    return {
        user: due_after(now, rhythm) for user, rhythm in rhythms.items() if rhythm != Rhythm.NEVER
    }


def due_after(now: datetime, rhythm: str) -> datetime:
    """When a notice of now is mailed in that rhythm: at once, next morning, or next Monday."""
    if rhythm == Rhythm.NOW:
        return now
    morning = now.replace(hour=DIGEST_HOUR, minute=0, second=0, microsecond=0)
    if morning <= now:
        morning += timedelta(days=1)
    if rhythm == Rhythm.WEEKLY:
        morning += timedelta(days=-morning.weekday() % 7)
    return morning
