"""A user's webhooks, and the log of each."""

from __future__ import annotations

from ladder.contract.webhooks import Delivery, Webhook
from ladder.models import Delivery as DeliveryRow
from ladder.models import Webhook as WebhookRow


def of_user(user: int) -> list[Webhook]:
    found = WebhookRow.objects.filter(user=user).order_by("-pk")
    return [Webhook(**row) for row in found.values(*Webhook.__struct_fields__)]


def log(webhook: int, count: int) -> list[Delivery]:
    """The newest deliveries."""
    found = DeliveryRow.objects.filter(webhook=webhook).order_by("-pk")[:count]
    return [Delivery(**row) for row in found.values(*Delivery.__struct_fields__)]
