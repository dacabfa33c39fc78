"""A user's notices, and what the user chose of them."""

from __future__ import annotations

from django.db.models import Q

from ladder.boards import BOARDS
from ladder.contract.notices import Choices, Following, Notice
from ladder.models import Bot, Follow, MailPlan, NoticePreference, Tournament, User
from ladder.models import Notice as NoticeRow
from ladder.queries.keyset import Cursor, Order, Page

NEWEST = Order("")
MOST_UNREAD = 100  # counted for the badge
MOST_FOLLOWS = 500


def unread(user: int) -> int:
    """How many notices the user has not read, up to a hundred."""
    found = NoticeRow.objects.filter(user=user, read_at=None).order_by()
    return found[:MOST_UNREAD].count()


def page(user: int, at: Cursor | None, size: int) -> Page[Notice]:
    """Notices, newest first."""
    found = NoticeRow.objects.filter(user=user)
    return NEWEST.page(found, at, size, keys=lambda row: (None, row.pk)).of(_as_value)


def _as_value(row: NoticeRow) -> Notice:
    return Notice(
        id=row.pk,
        kind=row.kind,
        text=row.text,
        page=row.page,
        count=row.count,
        at=row.at,
        is_read=row.read_at is not None,
    )


def choices(user: int) -> Choices:
    plan = MailPlan.objects.filter(user=user).first()
    chosen = NoticePreference.objects.filter(user=user).values_list("kind", "bot", "channel")
    return Choices(
        rhythm=plan.rhythm if plan else MailPlan.Rhythm.NOW.value,
        channels={(kind, bot): channel for kind, bot, channel in chosen},
    )


def own_bots(user: int) -> dict[int, str]:
    """The names of a user's bots, by id."""
    return dict(Bot.objects.filter(owner=user).order_by("name").values_list("pk", "name"))


def is_following(user: int, subject: str, target: str) -> bool:
    return Follow.objects.filter(user=user, subject=subject, target=target).exists()


def following(user: int) -> list[Following]:
    """All that a user follows, the newest first; what is gone is left out."""
    rows = Follow.objects.filter(user=user).order_by("-pk")[:MOST_FOLLOWS]
    found = list(rows.values_list("subject", "target"))
    titles = {
        **_titles(Bot, "bot", "name", found),
        **_titles(User, "author", "username", found),
        **_titles(Tournament, "tournament", "name", found, Q(is_public=True) | Q(organiser=user)),
        **{("board", str(board)): board.title for board in BOARDS},
    }
    return [
        Following(subject=subject, target=target, title=titles[subject, target])
        for subject, target in found
        if (subject, target) in titles
    ]


def _titles(
    model: type[Bot | User | Tournament],
    subject: str,
    name: str,
    found: list[tuple[str, str]],
    seen: Q = Q(),  # noqa: B008 - never changed
) -> dict[tuple[str, str], str]:
    ids = [int(target) for kind, target in found if kind == subject]
    rows = model._default_manager.filter(seen, pk__in=ids).values_list("pk", name)
    return {(subject, str(pk)): title for pk, title in rows}
