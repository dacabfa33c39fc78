"""What a keeper writes: questions opened, answers recorded, clocks, and verdicts of the clock.

Every write is fenced: it counts only while the match is still this attempt's.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count, DurationField, ExpressionWrapper, F
from django.db.models.functions import Now

from ladder.contract.remote import Holder
from ladder.models import Line, Match, Pairing, Person, Presence, Sitting, Version
from ladder.services import matches
from ladder.services.remote.seats import ring

ORGANISER_SHARE = 4  # a keeper's tables for the tournaments of one organiser: a quarter


class NotOurs(Exception):
    """The match was called off, or another keeper has it."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A decision that is asked, or that was before a restart."""

    id: str
    state: str
    action: str


@dataclass(frozen=True, slots=True)
class Ending:
    """The last line of a play for one seat."""

    holder: Holder
    seat: int
    body: dict[str, Any]


def queue(
    *,
    game: str,
    seats: int,
    versions: Sequence[Version],
    why: str,
    is_rated: bool = False,
    **links: Any,
) -> Match:
    """Put a match with remote bots in the queue; a keeper claims it."""
    with transaction.atomic():
        match = matches.queue(
            kind=Match.Kind.REMOTE, game=game, seats=seats, versions=versions, why=why, **links
        )
        Sitting.objects.create(match=match, is_rated=is_rated)
        ring()
    return match


def claim(keeper: str, most: int) -> Match | None:
    """The next match with remote bots for a keeper that holds at most `most` tables.

    The tournaments of one organiser get a quarter of them: a large one must not keep everybody
    else from playing.
    """
    organiser = "pairing__tournament__organiser"
    held = Match.all_objects.running().filter(worker=keeper, kind=Match.Kind.REMOTE)
    counts = held.exclude(pairing=None).order_by().values_list(organiser).annotate(Count("pk"))
    share = max(1, most // ORGANISER_SHARE)
    full = [user for user, count in counts if count >= share]
    queue = Match.all_objects.all()
    if full:
        theirs = Pairing.objects.filter(tournament__organiser__in=full)
        queue = queue.exclude(pairing__in=theirs.values("pk"))
    return queue.claim_next(keeper, {Match.PRIORITY[Match.Kind.REMOTE]})


def queue_people(*, game: str, seats: int) -> Match:
    """Put a match of people in the queue, within the caller's transaction."""
    match = matches.queue(
        kind=Match.Kind.PEOPLE, game=game, seats=seats, versions=[], why="People play here."
    )
    Sitting.objects.create(match=match)
    ring()
    return match


def save(match: Match, given: list[Any], clocks: dict[str, Any]) -> None:
    """Record what was answered so far; NotOurs when that is no longer ours to do."""
    with transaction.atomic():
        _fence(match)
        Sitting.objects.filter(pk=match.pk).update(given=given, clocks=clocks)


def save_clocks(match: Match, clocks: dict[str, Any]) -> None:
    with transaction.atomic():
        _fence(match)
        Sitting.objects.filter(pk=match.pk).update(clocks=clocks)


def open_line(
    match: Match,
    *,
    holder: Holder,
    seat: int,
    body: dict[str, Any],
    given: list[Any],
    clocks: dict[str, Any],
) -> Opened:
    """Ask a remote bot or a person, once everything that led to the question is recorded.

    After a restart the question may be there already, open or answered or expired.
    """
    with transaction.atomic():
        _fence(match)
        Sitting.objects.filter(pk=match.pk).update(given=given, clocks=clocks)
        number = len(given)
        _take_answered(match, number)
        before = Line.objects.filter(sitting=match.pk, number=number).first()
        if before is not None and before.state == Line.State.WITHDRAWN:
            before.delete()  # the match was called off and queued again
        elif before is not None:
            return Opened(before.pk, before.state, before.action)
        id = secrets.token_hex(8)
        Line.objects.create(
            id=id,
            sitting_id=match.pk,
            number=number,
            **_whose(holder),
            seat=seat,
            type=Line.Type.DECIDE,
            body={**body, "id": id, "number": number},
            opened_at=Now(),
        )
        ring()
    return Opened(id, Line.State.OPEN, "")


def expire(match: Match, line: str, clocks: dict[str, Any]) -> bool:
    """The time of a decision is used up; False when its answer was quicker."""
    with transaction.atomic():
        _fence(match)
        asked = Line.objects.filter(pk=line, state=Line.State.OPEN)
        if not asked.update(state=Line.State.EXPIRED, body={}):
            return False
        Sitting.objects.filter(pk=match.pk).update(clocks=clocks)
    return True


def end_play(
    match: Match, given: list[Any], clocks: dict[str, Any], endings: Sequence[Ending]
) -> None:
    """The play is over: record its last answers, and send the remote bots the result."""
    with transaction.atomic():
        _fence(match)
        Sitting.objects.filter(pk=match.pk).update(given=given, clocks=clocks)
        _take_answered(match, len(given))
        Line.objects.bulk_create(
            [
                Line(
                    id=secrets.token_hex(8),
                    sitting_id=match.pk,
                    number=len(given) + 1 + ending.seat,
                    **_whose(ending.holder),
                    seat=ending.seat,
                    type=Line.Type.END,
                    body=ending.body,
                    opened_at=Now(),
                )
                for ending in endings
            ],
            ignore_conflicts=True,  # sent before a restart
        )
        ring()


def _take_answered(match: Match, given: int) -> None:
    """Answers that are recorded now: their questions are of no more use."""
    answered = Line.objects.filter(sitting=match.pk, state=Line.State.ANSWERED, number__lt=given)
    took = ExpressionWrapper(F("answered_at") - F("delivered_at"), output_field=DurationField())
    for bot, person, duration in answered.values_list("remote", "person", took):
        ms = max(0, int(duration.total_seconds() * 1000))
        rows = Presence.objects.filter(pk=bot) if bot else Person.objects.filter(pk=person)
        rows.update(round_trip_ms=ms)
    answered.update(state=Line.State.TAKEN, body={})


def _whose(holder: Holder) -> dict[str, int]:
    return {"person_id" if holder.is_person else "remote_id": holder.id}


def _fence(match: Match) -> None:
    if not matches.renew(match):
        raise NotOurs
