"""Authors, and the tokens of their programs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal, Protocol

from ladder.contract import Value, about

Scope = Literal["read", "submit"]
SCOPE_WORDS: dict[Scope, str] = {"read": "read", "submit": "read and submit"}


class Reader(Protocol):
    """Who asks: a user, or somebody who is not signed in."""

    @property
    def pk(self) -> Any: ...

    @property
    def is_authenticated(self) -> Any: ...

    @property
    def is_staff(self) -> Any: ...


def manages(reader: Reader, owner: int) -> bool:
    """Whether this reader may read and do what is the owner's."""
    return bool(reader.is_authenticated and (owner == reader.pk or reader.is_staff))


class Author(Value, frozen=True, kw_only=True):
    """What everyone may know of an author."""

    username: str
    bots: int
    date_joined: datetime
    profile: Annotated[str, about("What they say about themselves, in Markdown.")]


class User(Author, frozen=True, kw_only=True):
    """What everyone may know of an author."""

    page: str


class Me(Value, frozen=True, kw_only=True):
    id: int
    username: str
    email: str
    is_staff: bool
    scope: Annotated[str, about("Of the token used; `session` for a signed-in page.")]
    bots: int
    date_joined: datetime


class Token(Value, frozen=True, kw_only=True):
    id: int
    name: str
    scope: Scope
    prefix: str
    created_at: datetime
    last_used_at: datetime | None
    expires_at: datetime


class Session(Value, frozen=True, kw_only=True):
    """A place where a user is signed in."""

    id: int
    agent: str
    created_at: datetime
    is_current: bool


class IssuedToken(Token, frozen=True, kw_only=True):
    secret: Annotated[
        str | None,
        about("Shown once; null when a retry with an Idempotency-Key is answered again."),
    ]
