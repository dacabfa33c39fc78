"""What people do with a table of their own: make it, join it, and play it to its end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import structlog
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models.functions import Now

from engine.games import GAMES
from engine.replay import Replay
from ladder.errors import Code, LadderError, QuotaReached
from ladder.models import Match, Person, SharedTable, User
from ladder.models.names import has_unseen
from ladder.queries import accounts, limits
from ladder.services import kept_plays, matches, quotas
from ladder.services.remote.seats import ring
from ladder.services.remote.tables import queue_people

log = structlog.get_logger(__name__)

LONGEST_NAME = 24
FORGOTTEN = 200  # tables removed in a turn of the scheduler
GONE = "This table is gone. Ask for a new link, or make a table yourself."


def open_table(
    *,
    game: str,
    places: Sequence[str],
    name: str,
    user: User | None = None,
    seat: int = 0,
    earlier: Sequence[int] = (),
) -> tuple[SharedTable, str]:
    """A table with its first person, and that person's secret, which is never shown again.

    `places` has the short name of a house bot for each seat, or nothing for a person. `earlier`
    are tables that were made from the same address.
    """
    rules = GAMES.get(game)
    if rules is None:
        raise LadderError(f"Unknown game {game[:40]!r}.", code=Code.UNKNOWN_GAME)
    if len(places) not in rules.seats or len(places) < 2:
        counts = ", ".join(str(count) for count in rules.seats if count > 1)
        raise LadderError(f"{rules.title} has tables of {counts} seats.", code=Code.BAD_SEATS)
    known = rules.house_bots()
    for short in places:
        if short and short not in known:
            allowed = ", ".join(known)
            raise LadderError(
                f"Unknown house bot {short[:40]!r}. Allowed: {allowed}.", code=Code.BAD_TABLE
            )
    free = [at for at, short in enumerate(places) if not short]
    if len(free) < 2:
        raise LadderError(
            "Leave at least one more seat for a friend. Alone with bots you play at once, without"
            " a link.",
            code=Code.BAD_TABLE,
        )
    if seat not in free:
        raise LadderError("Take one of the seats for people yourself.", code=Code.BAD_TABLE)
    name = _name(name, user)
    for limit in (limits.people_tables(), limits.people_tables_among(earlier)):
        if limit.is_reached:
            raise QuotaReached(quotas.reached(limit))
    with transaction.atomic():
        table = SharedTable.objects.create(game=game, places=list(places))
        secret = _seat(table, seat, name, user)
    log.info("shared table made", table=table.pk, game=game)
    return table, secret


def join(*, key: str, name: str, user: User | None = None) -> tuple[SharedTable, str]:
    """Take the next free seat; when the last is taken, the play begins.

    A signed-in user who has a seat already gets it back, with a new secret.
    """
    with transaction.atomic():
        named = SharedTable.objects.filter(key=key.replace("\x00", ""))
        found = named.select_for_update().first()
        if found is None:
            raise LadderError(GONE, code=Code.NOT_FOUND)
        if user is not None:
            own = found.people.filter(user=user).first()
            if own is not None:
                secret = Person.new_secret()
                own.digest = Person.digest_of(secret)
                own.save(update_fields=["digest"])
                ring()
                return found, secret
        taken = set(found.people.values_list("seat", flat=True))
        free = [
            at for at, short in enumerate(found.places) if not short and at not in taken
        ]  # fmt: skip
        if not free or found.match_id is not None:
            raise LadderError(
                "All seats of this table are taken. Make a table yourself, and invite others.",
                code=Code.TABLE_FULL,
            )
        name = _name(name, user)
        if found.people.filter(name__iexact=name).exists():
            raise LadderError(
                f"Somebody at this table is called {name}. Choose another name.",
                code=Code.NAME_TAKEN,
            )
        try:
            secret = _seat(found, free[0], name, user)
        except IntegrityError:
            raise LadderError(
                "Somebody else took this seat at the same moment. Try again.",
                code=Code.TABLE_FULL,
            ) from None
        if len(free) == 1:
            found.match = queue_people(game=found.game, seats=len(found.places))
            found.save(update_fields=["match"])
        ring()
    return found, secret


def finish(*, match: Match, replay: Replay) -> bool:
    """Store the play once; False when this attempt no longer counts."""
    with transaction.atomic():
        if not matches.close(match):
            return False
        play = kept_plays.keep_shared(replay=replay)
        SharedTable.objects.filter(match=match).update(play=play)
        ring()
    return True


def forget_old() -> int:
    """Remove tables at which nobody plays any more, with their rows; how many."""
    past = SharedTable.objects.filter(
        created_at__lt=Now() - timedelta(hours=settings.PEOPLE_WAIT_HOURS)
    ).exclude(match__status__in=[Match.Status.QUEUED, Match.Status.RUNNING])
    old = list(past.order_by("created_at").values_list("pk", "match")[:FORGOTTEN])
    with transaction.atomic():
        SharedTable.objects.filter(pk__in=[pk for pk, _ in old]).delete()
        Match.all_objects.filter(pk__in=[match for _, match in old if match]).delete()
    return len(old)


def _seat(table: SharedTable, seat: int, name: str, user: User | None) -> str:
    secret = Person.new_secret()
    with transaction.atomic():
        Person.objects.create(
            table=table, seat=seat, name=name, user=user, digest=Person.digest_of(secret)
        )
    return secret


def _name(text: str, user: User | None) -> str:
    """What a person is called at the table: a user by the user's name, a guest as they like."""
    if user is not None:
        return user.username
    name = " ".join(text.split())
    if not 0 < len(name) <= LONGEST_NAME or has_unseen(name):
        raise LadderError(
            f"Enter a name of 1 to {LONGEST_NAME} visible characters.", code=Code.BAD_NAME
        )
    if accounts.is_taken(name) or name.lower().startswith("house"):
        raise LadderError(
            f"{name} looks like the name of a user or bot of this site. Choose another name, or"
            " sign in.",
            code=Code.BAD_NAME,
        )
    return name
