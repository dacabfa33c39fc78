"""An event as each kind of receiver wants it."""

from __future__ import annotations

import msgspec

from ladder.contract.events import Event
from ladder.models import Webhook

Format = Webhook.Format


def body_of(event: Event, form: str, site_url: str) -> str:
    """What is sent: JSON."""
    link = site_url + event.page
    if form == Format.DISCORD:
        # No text of an event can call on anybody.
        data: object = {"content": f"{event.text}\n{link}", "allowed_mentions": {"parse": []}}
    elif form == Format.SLACK:
        data = {"text": f"<{link}|{_escaped(event.text)}>"}
    else:
        data = {"type": event.kind, "timestamp": event.at, "data": event}
    return msgspec.json.encode(data).decode()


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("|", "¦")
