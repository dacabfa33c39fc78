"""Trusted publishing: CI jobs that submit a bot without a stored secret."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ladder.contract import Value, about


class Publisher(Value, frozen=True, kw_only=True):
    """A workflow whose jobs may submit a bot."""

    id: int
    issuer: str
    repository: str
    repository_id: str
    workflow: str
    environment: str
    created_at: datetime
    last_used_at: datetime | None


class PublishingToken(Value, frozen=True, kw_only=True):
    """What a job's token is exchanged for."""

    bot: int
    token: Annotated[str, about("May only submit this bot; send it as a bearer token.")]
    expires_at: datetime


class Audience(Value, frozen=True, kw_only=True):
    """What a job asks its token for."""

    audience: str
