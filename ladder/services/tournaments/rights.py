"""Who may see and run a tournament."""

from __future__ import annotations

from typing import Any

from django.db.models import Q

from ladder.errors import LadderError, NotAllowed
from ladder.models import Match, Tournament
from ladder.models.match import MatchQuerySet
from ladder.models.tournament import TournamentQuerySet


def organises(user: Any, tournament: Tournament) -> bool:
    """Whether this user runs it: its organiser, or an operator."""
    return bool(user.is_authenticated and (tournament.organiser_id == user.pk or user.is_staff))


def visible_to(user: Any) -> TournamentQuerySet:
    """All public ones, and private ones that the user runs or has a bot in."""
    if not user.is_authenticated:
        return Tournament.objects.public()
    if user.is_staff:
        return Tournament.objects.all()
    own = Tournament.objects.filter(enrolments__bot__owner=user).values("pk")
    return Tournament.objects.filter(Q(is_public=True) | Q(organiser=user) | Q(pk__in=own))


def visible_matches(user: Any) -> MatchQuerySet:
    """Matches this user may open: not the gate's own, nor those of tournaments hidden from them."""
    hidden = Tournament.objects.filter(is_public=False).exclude(
        pk__in=visible_to(user).values("pk")
    )
    return Match.objects.shown().exclude(pairing__tournament__in=hidden)


def may_see(user: Any, tournament: Tournament) -> bool:
    return tournament.is_public or visible_to(user).filter(pk=tournament.pk).exists()


def require_organiser(user: Any, tournament: Tournament) -> None:
    if not organises(user, tournament):
        raise NotAllowed(f"Only the organiser of {tournament.name} may do that.")


def locked(tournament: Tournament) -> Tournament:
    """The row as it is now, held until the transaction ends."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def require_enrolling(tournament: Tournament) -> None:
    if tournament.status != Tournament.Status.ENROLLING:
        raise LadderError(
            f"{tournament.name} is {tournament.status}; this is only possible before it starts.",
            code="tournament_begun",
        )
