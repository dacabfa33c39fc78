"""Users and their tokens."""

from __future__ import annotations

from django.contrib.sessions.models import Session as SessionRow
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from ladder.contract.accounts import Author, Session, Token
from ladder.models import Bot, SignedIn, User
from ladder.models import Token as TokenRow
from ladder.models.account import is_called
from ladder.models.names import look
from ladder.queries.keyset import Cursor, Order, Page

NEWEST = Order("")
MOST_SESSIONS = 100
# `me` is the current user in the API's addresses.
RESERVED = {"admin", "administrator", "house", "ladle", "me", "moderator", "operator", "root"}
RESERVED |= {"staff", "support", "system"}
DELETED = "deleted-"  # with a number: the name of an account that its user deleted
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


def is_deleted(name: str) -> bool:
    """Whether this is the name that an account got when its user deleted it."""
    gone = User.objects.filter(is_called(name), deleted_at__isnull=False)
    return name.lower().startswith(DELETED) and gone.exists()


def bot_count(user: int) -> int:
    return Bot.objects.filter(owner=user).count()


def tokens(user: int, at: Cursor | None, size: int) -> Page[Token]:
    """A user's tokens that work, newest first."""
    page = NEWEST.page(
        TokenRow.objects.unexpired().filter(user=user, bot=None),
        at,
        size,
        keys=lambda row: (None, row["id"]),
        read=lambda rows: list(rows.values(*Token.__struct_fields__)),
    )
    return page.of(lambda row: Token(**row))


def sessions(user: int, current: str) -> list[Session]:
    """Where a user is signed in, newest first; the one with this key is marked."""
    rows = SignedIn.objects.filter(user=user).values("id", "session_key", "agent", "created_at")
    found = list(rows[:MOST_SESSIONS])
    keys = [row["session_key"] for row in found]
    alive = set(
        SessionRow.objects.filter(session_key__in=keys, expire_date__gt=timezone.now()).values_list(
            "session_key", flat=True
        )
    )
    return [
        Session(
            id=row["id"],
            agent=row["agent"],
            created_at=row["created_at"],
            is_current=row["session_key"] == current,
        )
        for row in found
        if row["session_key"] in alive
    ]


def names_like(text: str, count: int) -> list[str]:
    found = _active().filter(username__icontains=text).order_by("username")
    return list(found.values_list("username", flat=True)[:count])


def is_reserved(name: str) -> bool:
    """Whether a name looks like one that nobody may have."""
    return look(name) in LOOKS_RESERVED or look(name).startswith(look(DELETED))


def is_name_taken(name: str) -> bool:
    """Whether a user has this name, or one that looks like it."""
    return User.objects.filter(name_look=look(name)).exists()


def is_taken(name: str) -> bool:
    """Whether a name is, or looks like, that of a user, or is reserved."""
    return look(name) in LOOKS_RESERVED or User.objects.filter(name_look=look(name)).exists()


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
    found = rows.annotate(bot_count=count).values_list(
        "pk", "username", "bot_count", "date_joined", "profile"
    )
    return [
        (pk, Author(username=name, bots=bots, date_joined=joined, profile=profile))
        for pk, name, bots, joined, profile in found
    ]
