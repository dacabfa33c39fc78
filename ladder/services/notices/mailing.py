"""Mail: notices are gathered into mails, and mails are sent by a thread that may wait."""

from __future__ import annotations

from datetime import timedelta
from smtplib import SMTPException
from urllib.parse import urlsplit

import structlog
from django.conf import settings
from django.core.mail import EmailMultiAlternatives, get_connection
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from ladder.models import Mail, Notice
from ladder.services.notices import wishes

log = structlog.get_logger(__name__)

MOST = 50  # notices in one mail; the page has the rest
LEASE = timedelta(minutes=5)  # longer than a server may take, so that nobody else sends it too
BACK_OFF = [timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 480)]


def gather() -> int:
    """Put the notices that are due into mails, one for each user; how many mails."""
    if not settings.EMAIL_HOST:
        return 0
    due = Notice.objects.filter(mail_due_at__lte=timezone.now())
    users = set(due.order_by("mail_due_at").values_list("user", flat=True)[:500])
    for user in users:
        with transaction.atomic():
            mail = Mail.objects.create(user_id=user, due_at=timezone.now())
            due.filter(user=user).update(mail=mail, mail_due_at=None)
    return len(users)


def send_due(most: int = 20) -> int:
    """Send the mails that are due; how many went out. A server that hangs costs EMAIL_TIMEOUT."""
    sent = 0
    for mail in Mail.objects.filter(due_at__lte=timezone.now()).order_by("due_at")[:most]:
        if not _claim(mail):
            continue
        try:
            _send(mail)
        except (OSError, SMTPException) as error:
            _retry(mail, f"{type(error).__name__}: {error}"[:200])
            break  # the server is away: the others would only wait as well
        Mail.objects.filter(pk=mail.pk).update(sent_at=timezone.now(), due_at=None, problem="")
        sent += 1
    return sent


def _claim(mail: Mail) -> bool:
    """Ours for a while; False when another process was quicker."""
    own = Mail.objects.filter(pk=mail.pk, due_at=mail.due_at, attempts=mail.attempts)
    mail.attempts += 1
    return bool(own.update(due_at=timezone.now() + LEASE, attempts=mail.attempts))


def _retry(mail: Mail, problem: str) -> None:
    log.warning("mail not sent", mail=mail.pk, attempt=mail.attempts, problem=problem)
    is_last = mail.attempts > len(BACK_OFF)
    due = None if is_last else timezone.now() + BACK_OFF[mail.attempts - 1]
    Mail.objects.filter(pk=mail.pk).update(due_at=due, problem=problem)


def _send(mail: Mail) -> None:
    user = mail.user
    notices = list(mail.notices.order_by("pk")[: MOST + 1])
    if not notices or not user.email or not user.is_active or user.is_suspended:
        return
    with get_connection(timeout=settings.EMAIL_TIMEOUT) as connection:
        message(mail, notices, connection=connection).send()


def message(mail: Mail, notices: list[Notice], connection: object = None) -> EmailMultiAlternatives:
    """The mail as it goes out: plain text and HTML, and how to get no more of them."""
    unsubscribe = settings.SITE_URL + reverse(
        "unsubscribe", args=[wishes.unsubscribe_token(mail.user_id)]
    )
    count = len(notices)
    subject = notices[0].text if count == 1 else f"{count} notices from Ladle"
    context = {
        "subject": subject,
        "user": mail.user,
        "notices": notices[:MOST],
        "more": len(notices) > MOST,
        "site_url": settings.SITE_URL,
        "notices_url": settings.SITE_URL + reverse("notices"),
        "unsubscribe": unsubscribe,
    }
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    made = EmailMultiAlternatives(
        subject=" ".join(subject.split())[:150],
        body=render_to_string("ladder/notices/mail.txt", context),
        to=[mail.user.email],
        connection=connection,
        headers={
            # The same for every attempt, so that a mail server recognises a repeated mail.
            "Message-ID": f"<ladle-mail-{mail.pk}@{host}>",
            "List-Unsubscribe": f"<{unsubscribe}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    made.attach_alternative(render_to_string("ladder/notices/mail.html", context), "text/html")
    return made
