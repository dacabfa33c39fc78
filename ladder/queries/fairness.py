"""Findings that operators look at, and the figure of a whole site."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F, Max, Min, Sum

from ladder.contract import operation as contract
from ladder.contract.operation import FoundBot
from ladder.models import BoardFit, Finding, SeenAddress
from ladder.queries.values import Reading

SHOWN = 200
LINKS = 100


@dataclass(frozen=True, slots=True)
class Linked:
    """Accounts that were used from one address, and when."""

    names: list[str]
    first_at: datetime
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Memory:
    """Whether later plays of sets went otherwise than first ones, over all boards of the site."""

    versions: int
    scatter: float  # the mean of z^2: 1 where nobody remembers
    findings: int


def _bot(pk: int | None, name: str, owner: str) -> FoundBot | None:
    return None if pk is None else FoundBot(id=pk, name=name, owner=owner)


FINDING = Reading(
    contract.Finding,
    bot=(_bot, "bot_id", "bot__name", "bot__owner__username"),
    other_bot=(_bot, "other_bot_id", "other_bot__name", "other_bot__owner__username"),
    user="user__username",
    other_user="other_user__username",
    version="version__number",
)


def findings() -> list[contract.Finding]:
    """What was found on all boards, the surest first."""
    return FINDING(Finding.objects.order_by("q", "-z")[:SHOWN])


def linked_accounts() -> list[Linked]:
    """Accounts that share an address, those used last first."""
    shared = (
        SeenAddress.objects.values("digest")
        .annotate(users=Max("user") - Min("user"), end=Max("last_at"))
        .exclude(users=0)
        .order_by("-end")
        .values_list("digest", flat=True)[:LINKS]
    )
    rows: dict[str, list[tuple[str, datetime, datetime]]] = defaultdict(list)
    for digest, name, first_at, last_at in (
        SeenAddress.objects.filter(digest__in=list(shared))
        .order_by("first_at")
        .values_list("digest", "user__username", "first_at", "last_at")
    ):
        rows[digest].append((name, first_at, last_at))
    found = [
        Linked([name for name, _, _ in one], one[0][1], max(last for _, _, last in one))
        for one in rows.values()
    ]
    return sorted(found, key=lambda one: one.last_at, reverse=True)


def memory() -> Memory | None:
    """None before anything was compared."""
    looked = BoardFit.objects.filter(later_versions__gt=0)
    sums = looked.aggregate(
        versions=Sum("later_versions"), squares=Sum(F("later_versions") * F("later_scatter"))
    )
    if not sums["versions"]:
        return None
    count = Finding.objects.filter(kind=Finding.Kind.LATER).count()
    return Memory(sums["versions"], sums["squares"] / sums["versions"], count)
