"""Who may see what.

A tournament is public or private, and a rated match is secret while it waits; all else follows.
"""

from __future__ import annotations

from django.apps import apps
from django.db.models import Exists, OuterRef, Q

from ladder.contract.accounts import Reader


def is_hidden_from(user: Reader | None, tournament: str = "") -> Q:
    """Of rows that belong to a tournament, those that this user may not see.

    `tournament` is the path from such a row to its tournament, `pairing__tournament` say. None as
    the user stands for everybody: what lists hide even from operators.
    """
    path = f"{tournament}__" if tournament else ""
    hidden = Q(**{f"{path}is_public": False})
    if user is None or not user.is_authenticated:
        return hidden
    if user.is_staff:
        return Q(pk__in=[])
    own = apps.get_model("ladder", "Enrolment").objects.filter(
        tournament=OuterRef(f"{path}pk"), bot__owner=user.pk
    )
    return hidden & ~Q(**{f"{path}organiser": user.pk}) & ~Q(Exists(own))


def is_secret(match: str = "") -> Q:
    """Of matches, those that nobody may see yet, not even an operator on the site's pages.

    An author who knows whom a bot meets next could keep it from the table. `match` is the path
    from a row to its match.
    """
    path = f"{match}__" if match else ""
    waits = Q(**{f"{path}status": "queued"})
    # One of the open class has been seen once it began: a keeper that stops puts it back.
    sittings = apps.get_model("ladder", "Sitting").objects.filter(
        match=OuterRef(f"{path}pk"), is_rated=True
    )
    of_open_class = Q(**{f"{path}kind": "remote", f"{path}attempt": 0}) & Q(Exists(sittings))
    return waits & (Q(**{f"{path}kind": "ladder"}) | of_open_class)
