"""What the site, the API, the command and its client say to each other: frozen values, no Django.

Questions of `ladder/queries` return them, pages format them, the API encodes them, and the client
decodes the same classes. A field is written here and where it is read from the database.
"""

from __future__ import annotations

from typing import Any, ClassVar

import msgspec


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """An answer, or a part of one. Fields that a newer server adds are passed over."""

    example: ClassVar[Any] = None  # one of its own kind, for the schema


def about(text: str) -> msgspec.Meta:
    """A few words on a field, for the schema."""
    return msgspec.Meta(description=text)
