"""Drafts of bots in accounts, and copies that were shared."""

from __future__ import annotations

from ladder.contract.drafts import Draft, SharedDraft
from ladder.models import Draft as DraftRow
from ladder.models import SharedDraft as SharedRow
from ladder.queries.values import Reading

DRAFT = Reading(Draft)
SHARED = Reading(SharedDraft, owner="owner__username")


def find(owner: int, game: str, slot: str) -> Draft | None:
    return DRAFT.first(DraftRow.objects.filter(owner=owner, game=game, slot=slot))


def of_owner(owner: int) -> list[Draft]:
    """All drafts of an account, newest first; their number is limited."""
    return DRAFT(DraftRow.objects.filter(owner=owner))


def shared(token: str) -> SharedDraft | None:
    """The copy behind a link; those of closed accounts are not shown."""
    return SHARED.first(SharedRow.objects.filter(token=token, owner__is_active=True))


def shared_by(owner: int) -> list[SharedDraft]:
    """All copies that an account shares, newest first; their number is limited."""
    return SHARED(SharedRow.objects.filter(owner=owner))
