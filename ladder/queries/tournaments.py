"""Tournaments that a reader may see, and who takes part in them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from ladder.contract import tournaments as contract
from ladder.contract.accounts import Reader
from ladder.contract.tournaments import (
    Card,
    Drawn,
    Entrant,
    ShownEntrant,
    ShownTournament,
    TournamentDetail,
    TournamentFilter,
    Waiting,
)
from ladder.models import Enrolment, Pairing, Tournament, User
from ladder.models.account import is_called
from ladder.models.tournament import EnrolmentQuerySet, TournamentQuerySet
from ladder.queries.keyset import Cursor, Order, Page
from ladder.queries.values import Reading
from ladder.tournaments import FORMATS, Event, Format, Row
from ladder.tournaments.stored import event_of

NEWEST = Order("")
PAST = 30


def _has_checked_in(
    status: str, is_house: bool, when: datetime | None, start_at: datetime | None, minutes: int
) -> bool:
    """Since check-in opened; a house bot is always there, who is only invited never."""
    if status == Enrolment.Status.INVITED:
        return False
    if is_house:
        return True
    return bool(when and start_at and minutes and when >= start_at - timedelta(minutes=minutes))


CHECKED_IN: tuple[Any, ...] = (_has_checked_in, "status", "bot__is_house", "checked_in_at")
CHECKED_IN += ("tournament__start_at", "tournament__check_in_minutes")
ENTERED: dict[str, Any] = {
    "bot": "bot_id",
    "name": "bot__name",
    "owner": "bot__owner__username",
    "version": "version__number",
    "has_checked_in": CHECKED_IN,
}
ENTRANT = Reading(Entrant, **ENTERED)
SHOWN_ENTRANT = Reading(ShownEntrant, **ENTERED, owner_id="bot__owner_id")
TOLD: dict[str, Any] = {"organiser": "organiser__username", "cup_on": "cup_on"}
TOURNAMENT = Reading(contract.Tournament, **TOLD)
DETAILED: dict[str, Any] = TOLD | {
    "secret": (
        lambda secret, status: secret if status in ("finished", "cancelled") else None,
        *("secret", "status"),
    )
}
DETAIL = Reading(TournamentDetail, **DETAILED)
SHOWN = Reading(ShownTournament, **DETAILED)
CARD = Reading(Card, **TOLD)
DRAWN = Reading(Drawn)
WAITING = Reading(
    Waiting,
    tournament="tournament_id",
    tournament_name="tournament__name",
    organiser="tournament__organiser__username",
    start_at="tournament__start_at",
    bot="bot_id",
    bot_name="bot__name",
)


def page(
    asked: TournamentFilter, reader: Reader, at: Cursor | None, size: int
) -> Page[contract.Tournament]:
    """The tournaments that a reader may see, newest first."""
    found = Tournament.objects.visible_to(reader)
    for name in ("game", "seats", "status", "format"):
        if (value := getattr(asked, name)) is not None:
            found = found.filter(**{name: value})
    if asked.search is not None:
        found = found.filter(name__icontains=asked.search)
    if asked.organiser is not None:
        organiser = User.objects.filter(is_called(asked.organiser)).values("pk")
        # Their ids first: SQLite would walk through all tournaments in the order asked for.
        own = Tournament.objects.filter(organiser=Subquery(organiser)).order_by()
        found = found.filter(pk__in=own.values("pk"))
    if asked.bot is not None:
        found = found.filter(pk__in=Enrolment.objects.filter(bot=asked.bot).values("tournament"))
    return TOURNAMENT.page(found, NEWEST, at, size)


def public_ids(count: int) -> list[int]:
    """The newest that are listed for everyone."""
    found = Tournament.objects.visible_to(None).order_by("-id")
    return list(found.values_list("id", flat=True)[:count])


@dataclass(frozen=True, slots=True)
class Cards:
    """What a reader may see of all tournaments."""

    running: list[Card]
    upcoming: list[Card]
    past: list[Card]  # the newest, without the daily cups


def cards(reader: Reader) -> Cards:
    seen = Tournament.objects.visible_to(reader).order_by("-id")
    return Cards(
        running=CARD(_for_list(seen.under_way())),
        upcoming=CARD(_for_list(seen.upcoming())),
        past=CARD(_for_list(seen.past().filter(cup_on=None))[:PAST]),
    )


def cups(at: Cursor | None, size: int) -> Page[Card]:
    """The daily cups, newest first."""
    held = Tournament.objects.visible_to(None).filter(cup_on__isnull=False)
    return CARD.page(_for_list(held), NEWEST, at, size)


def _for_list(found: TournamentQuerySet) -> QuerySet[Any]:
    """Each with how many take part, and its champion's name once there is one."""
    # Counted for each row shown: a join would have all tournaments grouped for the sake of a page.
    entrants = (
        Enrolment.objects.filter(tournament=OuterRef("pk"), status=Enrolment.Status.ENROLLED)
        .order_by()
        .values("tournament")
        .values_list(Count("pk"))
    )
    crowning = [name for name, format_ in FORMATS.items() if format_.crowns_champion]
    champion = (
        Enrolment.objects.taking_part()
        .filter(tournament=OuterRef("pk"), final_rank=1, tournament__format__in=crowning)
        .order_by("seed")
    )
    return found.annotate(
        entrants=Coalesce(Subquery(entrants), 0),
        champion=Subquery(champion.values("bot__name")[:1]),
    )


def find(reader: Reader, pk: int) -> ShownTournament | None:
    """A tournament that a reader may see; a private one does not exist for strangers."""
    return SHOWN.first(Tournament.objects.visible_to(reader).filter(pk=pk))


def detail(reader: Reader, pk: int) -> TournamentDetail | None:
    """The same with its entrants, for programs."""
    found = DETAIL.first(Tournament.objects.visible_to(reader).filter(pk=pk))
    if found is None:
        return None
    return msgspec.structs.replace(found, entrants=ENTRANT(_entrants(pk)))


def entrants(tournament: int) -> list[ShownEntrant]:
    """All of them, also those who left; by seed once it has started."""
    return SHOWN_ENTRANT(_entrants(tournament))


def entrant(tournament: int, bot: int) -> Entrant:
    (found,) = ENTRANT(_entrants(tournament).filter(bot=bot))
    return found


def public_entrants(tournament: int) -> list[Entrant]:
    return ENTRANT(_entrants(tournament))


def invitations(user: int) -> list[Waiting]:
    """What this user's bots are invited to and may still answer."""
    found = Enrolment.objects.filter(bot__owner=user, status=Enrolment.Status.INVITED)
    return WAITING(_enrolling(found).order_by("-id"))


def check_ins(user: int) -> list[Waiting]:
    """This user's bots that must check in now."""
    now = timezone.now()
    found = Enrolment.objects.taking_part().filter(
        bot__owner=user, tournament__check_in_minutes__gt=0, tournament__start_at__isnull=False
    )
    waiting = _enrolling(found).order_by("tournament__start_at", "pk")
    due = [
        pk
        for pk, start_at, minutes, *checked in waiting.values_list(
            *("pk", "tournament__start_at", "tournament__check_in_minutes", *CHECKED_IN[1:])
        )
        if start_at - timedelta(minutes=minutes) <= now and not _has_checked_in(*checked)
    ]
    return WAITING(waiting.filter(pk__in=due)) if due else []


def search(text: str, count: int) -> list[contract.Tournament]:
    found = Tournament.objects.visible_to(None).filter(name__icontains=text)
    return TOURNAMENT(found.order_by("-id")[:count])


@dataclass(frozen=True, slots=True)
class Begun:
    """A tournament that has begun, as its format reads it."""

    tournament: ShownTournament
    entrants: dict[int, ShownEntrant]  # by seed
    pairings: list[Drawn]

    @property
    def format(self) -> Format:
        return FORMATS[self.tournament.format]

    @property
    def open(self) -> list[Drawn]:
        return [one for one in self.pairings if one.finished_at is None]

    def event(self) -> Event:
        told = self.tournament
        return event_of(self.entrants, self.pairings, told.format_options, told.commitment)

    def standings(self) -> list[Row]:
        return self.format.standings(self.event()) if self.entrants else []

    def champion(self) -> int | None:
        if self.tournament.status != "finished" or not self.entrants:
            return None
        return self.format.champion(self.event())


def begun(tournament: ShownTournament) -> Begun:
    """It with all its rows, in two queries."""
    frozen = _entrants(tournament.id).exclude(version=None)
    return Begun(
        tournament,
        {one.seed: one for one in SHOWN_ENTRANT(frozen) if one.seed is not None},
        DRAWN(Pairing.objects.filter(tournament=tournament.id).order_by("round", "table")),
    )


def _enrolling(found: EnrolmentQuerySet) -> QuerySet[Enrolment]:
    return found.filter(tournament__status=Tournament.Status.ENROLLING)


def _entrants(tournament: int) -> QuerySet[Enrolment]:
    return Enrolment.objects.filter(tournament=tournament).order_by("seed", "pk")
