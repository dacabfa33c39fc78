"""Addresses that users want events sent to, and what was sent there."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Webhook(models.Model):
    """An address of a user's; it gets the events that the user is notified of."""

    class Format(models.TextChoices):
        STANDARD = "standard", "JSON, signed (Standard Webhooks)"
        DISCORD = "discord", "Discord"
        SLACK = "slack", "Slack"

    user = models.ForeignKey("ladder.User", on_delete=models.CASCADE, related_name="webhooks")
    url = models.URLField(max_length=500)
    format = models.CharField(max_length=10, choices=Format, default=Format.STANDARD)
    kinds = models.JSONField(default=list)  # of events; empty: all but routine matches
    is_routine = models.BooleanField(default=False)  # every match too, which are many
    secret = models.CharField(max_length=80)
    old_secret = models.CharField(max_length=80, blank=True)  # signs too until then
    old_secret_until = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    failing_since = models.DateTimeField(null=True)  # no delivery has worked since
    disabled_at = models.DateTimeField(null=True)
    disabled_reason = models.CharField(max_length=200, blank=True)

    class Meta:
        indexes = [models.Index(fields=["user", "-id"], name="webhook_by_user")]

    def __str__(self) -> str:
        return f"webhook {self.pk}"


class Delivery(models.Model):
    """One event on its way to one address."""

    class State(models.TextChoices):
        PENDING = "pending"
        DELIVERED = "delivered"
        FAILED = "failed"

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    message = models.CharField(max_length=40)  # its stable id for the receiver
    kind = models.CharField(max_length=24)
    # What its event is about: later deliveries of the same wait for it. Empty: none waits.
    subject = models.CharField(max_length=40, blank=True, default="", db_default="")
    body = models.TextField()
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(null=True)  # None: delivered, or given up
    created_at = models.DateTimeField(auto_now_add=True)
    tried_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)  # of the last answer
    problem = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["webhook", "message"], name="one_delivery_per_message")
        ]
        indexes = [
            models.Index(fields=["due_at"], name="delivery_due", condition=Q(due_at__isnull=False)),
            models.Index(fields=["webhook", "-id"], name="delivery_by_webhook"),
            models.Index(
                fields=["webhook", "subject", "id"],
                name="delivery_in_order",
                condition=Q(due_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.message} to {self.webhook}"
