"""Users and their tokens."""

from __future__ import annotations

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from ladder.contract.accounts import Author, Token
from ladder.models import Bot, User
from ladder.models import Token as TokenRow
from ladder.models.account import is_called
from ladder.models.names import look
from ladder.queries.keyset import Cursor, Order, Page

NEWEST = Order("")
# `me` is the current user in the API's addresses.
RESERVED = {"admin", "administrator", "house", "ladle", "me", "moderator", "operator", "root"}
RESERVED |= {"staff", "support", "system"}
LOOKS_RESERVED = {look(name) for name in RESERVED}


def authors(at: Cursor | None, size: int, *, search: str = "") -> Page[Author]:
    """Authors, newest first."""
    found = _active()
    if search:
        found = found.filter(username__icontains=search)
    page = NEWEST.page(
        found, at, size, keys=lambda row: (None, row[0]), read=lambda rows: _read(rows)
    )
    return page.of(lambda row: row[1])


def number_of(name: str) -> int | None:
    """The id of the user of this name; capitals do not matter."""
    return _active().filter(is_called(name)).values_list("pk", flat=True).first()


def author(number: int) -> Author:
    ((_, found),) = _read(_active().filter(pk=number))
    return found


def bot_count(user: int) -> int:
    return Bot.objects.filter(owner=user).count()


def tokens(user: int, at: Cursor | None, size: int) -> Page[Token]:
    """A user's tokens that work, newest first."""
    page = NEWEST.page(
        TokenRow.objects.unexpired().filter(user=user),
        at,
        size,
        keys=lambda row: (None, row["id"]),
        read=lambda rows: list(rows.values(*Token.__struct_fields__)),
    )
    return page.of(lambda row: Token(**row))


def names_like(text: str, count: int) -> list[str]:
    found = _active().filter(username__icontains=text).order_by("username")
    return list(found.values_list("username", flat=True)[:count])


def is_reserved(name: str) -> bool:
    """Whether a name looks like one that nobody may have."""
    return look(name) in LOOKS_RESERVED


def is_name_taken(name: str) -> bool:
    """Whether a user has this name, or one that looks like it."""
    return User.objects.filter(name_look=look(name)).exists()


def looks_like(name: str) -> str:
    """The user for whom this name could be taken though it is spelt differently, or nothing."""
    alike = User.objects.filter(name_look=look(name)).values_list("username", flat=True).first()
    return "" if alike is None or alike.lower() == name.lower() else alike


def _active() -> QuerySet[User]:
    return User.objects.filter(is_active=True)


def _read(rows: QuerySet[User]) -> list[tuple[int, Author]]:
    # Counted for each row shown: a join would have all users grouped for the sake of a page.
    bots = Bot.objects.filter(owner=OuterRef("pk")).order_by().values("owner")
    count = Coalesce(Subquery(bots.values_list(Count("pk"))), 0)
    found = rows.annotate(bot_count=count).values_list("pk", "username", "bot_count", "date_joined")
    return [
        (pk, Author(username=name, bots=bots, date_joined=joined))
        for pk, name, bots, joined in found
    ]
