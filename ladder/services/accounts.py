"""What happens to users."""

from django.db import transaction

from ladder.models import Bot, User
from ladder.services import matches, ratings


def suspend(user: User) -> None:
    """The user is signed out, tokens stop working, and their bots leave the ladders."""
    _set_suspended(user, True)


def bring_back(user: User) -> None:
    _set_suspended(user, False)


def _set_suspended(user: User, suspended: bool) -> None:
    with transaction.atomic():
        user.is_suspended = suspended
        user.save(update_fields=["is_suspended"])
        for bot in Bot.objects.filter(owner=user):
            ratings.relist(bot)
            if suspended:
                matches.cancel_waiting(bot)
