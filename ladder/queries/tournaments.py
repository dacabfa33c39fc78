"""Tournaments that a reader may see, and who takes part in them."""

from __future__ import annotations

from typing import Any

from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce

from ladder.models import Enrolment, Tournament, User
from ladder.models.account import is_called
from ladder.models.tournament import TournamentQuerySet
from ladder.tournaments import FORMATS


def visible(user: Any) -> TournamentQuerySet:
    return Tournament.objects.visible_to(user).select_related("organiser")


def public_ids(count: int) -> list[int]:
    """The newest that everyone may come across."""
    found = Tournament.objects.visible_to(None).order_by("-id")
    return list(found.values_list("id", flat=True)[:count])


def for_list(found: TournamentQuerySet) -> TournamentQuerySet:
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


def with_bot(found: QuerySet[Tournament], bot: int) -> QuerySet[Tournament]:
    return found.filter(pk__in=Enrolment.objects.filter(bot=bot).values("tournament"))


def organised_by(found: QuerySet[Tournament], name: str) -> QuerySet[Tournament]:
    organiser = User.objects.filter(is_called(name)).values("pk")
    # Their ids first: SQLite would walk through all tournaments in the order asked for.
    own = Tournament.objects.filter(organiser=Subquery(organiser)).order_by()
    return found.filter(pk__in=own.values("pk"))


def invitations(user: Any) -> list[Enrolment]:
    """What this user's bots are invited to and may still answer."""
    found = Enrolment.objects.filter(
        bot__owner=user,
        status=Enrolment.Status.INVITED,
        tournament__status=Tournament.Status.ENROLLING,
    )
    return list(found.select_related("bot", "tournament__organiser").order_by("-id"))


def check_ins(user: Any) -> list[Enrolment]:
    """This user's bots that must check in now."""
    found = Enrolment.objects.taking_part().filter(
        bot__owner=user,
        tournament__status=Tournament.Status.ENROLLING,
        tournament__check_in_minutes__gt=0,
    )
    waiting = found.select_related("bot__owner", "tournament").order_by(
        "tournament__start_at", "pk"
    )
    return [one for one in waiting if one.tournament.has_opened_check_in and not one.has_checked_in]


def entrants(tournament: Tournament) -> list[Enrolment]:
    """All of them, also those who left; by seed once it has started."""
    return list(_entrants().filter(tournament=tournament))


def entrant(pk: int) -> Enrolment:
    return _entrants().get(pk=pk)


def detail(pk: int) -> Tournament:
    found = Tournament.objects.select_related("organiser")
    return found.prefetch_related(Prefetch("enrolments", _entrants())).get(pk=pk)


def search(text: str, count: int) -> list[Tournament]:
    found = Tournament.objects.visible_to(None).filter(name__icontains=text)
    return list(found.order_by("-id")[:count])


def _entrants() -> QuerySet[Enrolment]:
    found = Enrolment.objects.select_related("bot__owner", "version", "tournament")
    return found.order_by("seed", "pk")
