"""Bots being written, and copies of them that are shared by a link."""

from __future__ import annotations

from datetime import datetime

from ladder.contract import Value
from ladder.contract.accounts import Reader, manages


class Draft(Value, frozen=True, kw_only=True):
    """A draft in an account; `revision` shows whether it changed since it was read."""

    id: int
    game: str
    slot: str
    files: dict[str, str]
    revision: int
    updated_at: datetime

    @property
    def language(self) -> str:
        return self.slot.partition("-")[0]

    @property
    def begun_from(self) -> tuple[str, str]:
        """What it was started from, as the workshop's address names it; empty: the starter."""
        _, _, rest = self.slot.partition("-")
        kind, _, key = rest.partition("-")
        return kind, key


class SharedDraft(Value, frozen=True, kw_only=True):
    """A read-only copy of a draft, as its link shows it."""

    token: str
    owner: str
    owner_id: int
    game: str
    language: str
    files: dict[str, str]
    created_at: datetime

    def is_managed_by(self, reader: Reader) -> bool:
        return manages(reader, self.owner_id)
