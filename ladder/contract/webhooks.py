"""A user's webhooks and what was sent there."""

from __future__ import annotations

from datetime import datetime

from ladder.contract import Value


class Webhook(Value, frozen=True, kw_only=True):
    id: int
    url: str
    format: str
    kinds: list[str]
    secret: str
    created_at: datetime
    failing_since: datetime | None
    disabled_at: datetime | None
    disabled_reason: str


class Delivery(Value, frozen=True, kw_only=True):
    id: int
    message: str
    kind: str
    state: str
    attempts: int
    created_at: datetime
    tried_at: datetime | None
    due_at: datetime | None
    status: int | None
    problem: str
