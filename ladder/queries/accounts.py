"""Users and their tokens."""

from __future__ import annotations

from django.db.models import Count, QuerySet

from ladder.models import Token, User


def active() -> QuerySet[User]:
    return User.objects.filter(is_active=True)


def valid_tokens(user: User) -> QuerySet[Token]:
    return user.tokens.filter(revoked_at=None)


def bot_count(user: User) -> int:
    return user.bots.count()


def with_bot_count() -> QuerySet[User]:
    return active().annotate(bot_count=Count("bots"))


def search(text: str, count: int) -> list[User]:
    return list(active().filter(username__icontains=text).order_by("username")[:count])


def is_name_taken(name: str) -> bool:
    return User.objects.filter(username__iexact=name).exists()
