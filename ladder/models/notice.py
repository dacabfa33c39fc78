"""What users want to know of, their notices on the site, and what is mailed to them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from ladder.models.event import kind_choices


class Follow(models.Model):
    """A user wants to know what happens to something."""

    class Subject(models.TextChoices):
        BOT = "bot"
        AUTHOR = "author"
        BOARD = "board"
        TOURNAMENT = "tournament"

    user = models.ForeignKey("ladder.User", on_delete=models.CASCADE, related_name="follows")
    subject = models.CharField(max_length=10, choices=Subject)
    target = models.CharField(max_length=60)  # an id, or a board such as ramen_ramen/2
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "subject", "target"], name="one_follow_per_target"
            )
        ]
        indexes = [models.Index(fields=["subject", "target"], name="follow_by_target")]

    def __str__(self) -> str:
        return f"{self.user} follows {self.subject} {self.target}"


class NoticePreference(models.Model):
    """Where a user wants to learn of a kind of event, of all bots or of one."""

    class Channel(models.TextChoices):
        OFF = "off", "off"
        SITE = "site", "on the site"
        MAIL = "mail", "on the site and by mail"

    user = models.ForeignKey("ladder.User", on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=24, choices=kind_choices)
    bot = models.BigIntegerField(default=0)  # 0: all bots
    channel = models.CharField(max_length=4, choices=Channel)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "kind", "bot"], name="one_channel_per_kind")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.kind} {self.channel}"


class MailPlan(models.Model):
    """How often a user wants mail."""

    class Rhythm(models.TextChoices):
        NOW = "now", "at once"
        DAILY = "daily", "once a day"
        WEEKLY = "weekly", "once a week"
        NEVER = "never", "never"

    user = models.OneToOneField("ladder.User", on_delete=models.CASCADE, related_name="mail_plan")
    rhythm = models.CharField(max_length=6, choices=Rhythm, default=Rhythm.NOW)

    def __str__(self) -> str:
        return f"{self.user}: {self.rhythm}"


class Mail(models.Model):
    """One mail with some notices; its id is in its Message-ID, so that a retry is recognised."""

    user = models.ForeignKey("ladder.User", on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    due_at = models.DateTimeField(null=True)  # None: sent, or given up
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], name="mail_due", condition=Q(due_at__isnull=False))
        ]

    def __str__(self) -> str:
        return f"mail {self.pk}"


class Notice(models.Model):
    """A notice to a user; repeated events of one kind about one bot are one, with a count."""

    user = models.ForeignKey("ladder.User", on_delete=models.CASCADE, related_name="notices")
    kind = models.CharField(max_length=24, choices=kind_choices)
    bot = models.BigIntegerField(null=True)
    event = models.BigIntegerField()  # id of the newest
    text = models.TextField()
    page = models.CharField(max_length=200)
    count = models.PositiveIntegerField(default=1)
    at = models.DateTimeField()  # of the newest
    read_at = models.DateTimeField(null=True)
    mail_due_at = models.DateTimeField(null=True)  # None: not to be mailed, or in a mail already
    mail = models.ForeignKey(Mail, null=True, on_delete=models.SET_NULL, related_name="notices")

    class Meta:
        indexes = [
            models.Index(fields=["user", "-id"], name="notice_by_user"),
            models.Index(fields=["user"], name="notice_unread", condition=Q(read_at=None)),
            models.Index(
                fields=["mail_due_at"], name="notice_mail", condition=Q(mail_due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.text
