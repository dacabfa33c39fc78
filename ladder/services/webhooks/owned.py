"""What an owner does with a webhook, by its number."""

from __future__ import annotations

from typing import Any

from ladder.errors import Code, LadderError
from ladder.models import Delivery, User, Webhook
from ladder.services.webhooks import hooks


def create(user: User, **fields: Any) -> int:
    return hooks.create(user=user, **fields).pk


def act(user: User, pk: int, verb: str, delivery: int) -> str:
    """Do what a button says; a sentence on what was done."""
    hook = Webhook.objects.filter(pk=pk, user=user).first()
    if hook is None:
        raise LadderError("There is no such webhook.", code=Code.NOT_FOUND)
    if verb == "again":
        row = Delivery.objects.filter(pk=delivery, webhook=hook).first()
        if row is None:
            raise LadderError("There is no such delivery.", code=Code.NOT_FOUND)
        hooks.send_again(row)
        return ACTS[verb]
    {
        "test": hooks.send_test,
        "rotate": hooks.rotate,
        "enable": hooks.enable,
        "remove": hooks.remove,
    }[verb](hook)
    return ACTS[verb]


ACTS = {
    "test": "A test event is on its way.",
    "again": "The event is sent again.",
    "rotate": "There is a new secret. The old one is valid for another day.",
    "enable": "The webhook is enabled.",
    "remove": "The webhook is removed.",
}
