"""What the site, the API, the command and its client say to each other: frozen values, no Django.

Questions of `ladder/queries` return them, pages format them, the API encodes them, and the client
decodes the same classes. A field is written here and where it is read from the database.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import msgspec

from engine.games import GAMES, MAX_SEATS

EXAMPLES = Path(__file__).with_name("examples.json")


class Value(msgspec.Struct, frozen=True, kw_only=True):
    """An answer, or a part of one. Fields that a newer server adds are passed over."""


def example(kind: type[Value]) -> Any:
    """One of a kind as the API answers it, for the schema."""
    return examples()[kind.__name__]


@cache
def examples() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(EXAMPLES.read_text(encoding="utf-8"))
    return found


def about(text: str) -> msgspec.Meta:
    """A few words on a field, for the schema."""
    return msgspec.Meta(description=text)


def one_of(words: Iterable[str]) -> msgspec.Meta:
    """The words that the schema lists; a client takes others of a newer server, too."""
    return msgspec.Meta(extra_json_schema={"enum": list(words)})


# What a request may filter by.
Id = Annotated[int, msgspec.Meta(ge=1, le=2**53)]
SeatCount = Annotated[int, msgspec.Meta(ge=1, le=MAX_SEATS)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=60)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]
GameSlug = Annotated[str, one_of(GAMES)]


class Filter(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a list is narrowed to; what is None is left open."""
