"""Who may run a tournament, and when."""

from __future__ import annotations

from ladder.contract.accounts import Reader
from ladder.errors import Code, LadderError, Missing, NotAllowed
from ladder.models import Tournament


def require_organiser(user: Reader, tournament: Tournament) -> None:
    if not tournament.is_managed_by(user):
        raise NotAllowed(f"Only the organiser of {tournament.name} may do that.")


def visible(reader: Reader, pk: int) -> Tournament:
    """A tournament to write to; a private one does not exist for strangers."""
    found = Tournament.objects.visible_to(reader).select_related("organiser").filter(pk=pk).first()
    if found is None:
        raise Missing(f"tournament {pk}")
    return found


def locked(tournament: Tournament) -> Tournament:
    """The row as it is now, held until the transaction ends."""
    return Tournament.objects.select_for_update().get(pk=tournament.pk)


def require_enrolling(tournament: Tournament) -> None:
    if tournament.status != Tournament.Status.ENROLLING:
        raise LadderError(
            f"{tournament.name} is {tournament.status}; this is only possible before it starts.",
            code=Code.TOURNAMENT_BEGUN,
        )
