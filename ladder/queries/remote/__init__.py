"""Remote bots: what pages show of them, what they are to be sent, and who is there."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from ladder.contract.remote import (
    Admission,
    Asked,
    Attendance,
    Holder,
    Remote,
    Seat,
    SeatLine,
    Tempo,
)
from ladder.models import Line, Match, Person, Presence, RemoteBot, StreamProcess
from ladder.models.remote import STREAM_SILENT_S
from ladder.queries.remote import people

MOST_LINES = 500  # read at once for all streams; the rest comes the next time


def find(bot: int) -> Remote | None:
    """A remote bot's own facts; None for a bot with a program."""
    row = RemoteBot.objects.select_related("bot", "presence").filter(pk=bot).first()
    if row is None:
        return None
    presence: Presence | None = getattr(row, "presence", None)
    is_here = is_online(bot)
    return Remote(
        bot=bot,
        name=row.bot.name,
        description=row.description,
        tempo=Tempo(row.tempo),
        takes_challenges=row.takes_challenges,
        plays_rated=row.plays_rated,
        is_online=is_here,
        is_draining=is_here and presence is not None and presence.is_draining,
        online_since=presence.since if presence and is_here else None,
        last_seen_at=presence.gone_at if presence and not is_here else None,
        absences=presence.absences if presence else 0,
        round_trip_ms=presence.round_trip_ms if presence else None,
        has_token=row.digest is not None,
    )


def is_online(bot: int) -> bool:
    return RemoteBot.objects.online().filter(pk=bot).exists()


def under_way(bot: int) -> list[int]:
    """The matches that a bot has to play, or whose end it has not been sent."""
    is_open = Q(status__in=[Match.Status.QUEUED, Match.Status.RUNNING])
    is_untold = Q(
        sitting__lines__remote=bot,
        sitting__lines__type=Line.Type.END,
        sitting__lines__state=Line.State.OPEN,
    )
    own = Match.objects.filter(kind=Match.Kind.REMOTE, entries__bot=bot)
    return sorted(set(own.filter(is_open | is_untold).values_list("pk", flat=True)))


def seat_of(secret: str) -> Seat | None:
    """The bot or the person that a token belongs to."""
    if secret.startswith("ladleseat_"):
        person = Person.objects.filter(digest=Person.digest_of(secret)).first()
        if person is None:
            return None
        return Seat(holder=Holder(person.pk, True), name=person.name, token=person.digest)
    found = RemoteBot.objects.by_secret(secret)
    if found is None:
        return None
    return Seat(holder=Holder(found.pk), name=found.bot.name, token=found.digest or "")


def asked(lines: Collection[str]) -> dict[str, Asked]:
    """Where decisions stand, by their ids."""
    rows = Line.objects.filter(pk__in=lines).annotate(now=Now())
    return {
        id: Asked(line=id, state=state, action=action, delivered_ms=_ago_ms(now, delivered))
        for id, state, action, delivered, now in rows.values_list(
            "id", "state", "action", "delivered_at", "now"
        )
    }


def attendance(holders: Collection[Holder]) -> dict[Holder, Attendance]:
    """Who is there; one that never came is gone."""
    rows = StreamProcess.objects.annotate(now=Now()).values_list("name", "seen_at", "now")
    silent = {name: _ago_ms(now, seen) for name, seen, now in rows}
    is_any_up = any(ms is not None and ms < STREAM_SILENT_S * 1000 for ms in silent.values())
    nobody = Attendance(is_gone=True, silent_ms=None, is_any_up=is_any_up)
    here = dict.fromkeys(holders, nobody)
    columns = ("pk", "process", "gone_at", "now")
    bots, people = _ids(holders)
    known = [
        (Holder(pk), *rest)
        for pk, *rest in Presence.objects.filter(pk__in=bots)
        .annotate(now=Now())
        .values_list(*columns)
    ]
    if people:
        rows_of_people = Person.objects.filter(pk__in=people).exclude(process="")
        known += [
            (Holder(pk, True), *rest)
            for pk, *rest in rows_of_people.annotate(now=Now()).values_list(*columns)
        ]
    for holder, process, gone, now in known:
        here[holder] = Attendance(
            is_gone=gone is not None and gone <= now,
            silent_ms=silent.get(process),
            is_any_up=is_any_up,
        )
    return here


def open_lines(holders: Collection[Holder]) -> list[SeatLine]:
    """What these bots and people are to be sent now, oldest first."""
    bots, persons = _ids(holders)
    is_due = Q(type=Line.Type.END) | Q(
        sitting__match__status__in=[Match.Status.QUEUED, Match.Status.RUNNING]
    )
    lines = []
    for ids, owner in ((bots, "remote"), (persons, "person")):
        if not ids:
            continue
        rows = Line.objects.filter(is_due, **{f"{owner}__in": ids}, state=Line.State.OPEN)
        rows = rows.order_by("opened_at")[:MOST_LINES]
        lines += [
            SeatLine(id=id, holder=Holder(pk, owner == "person"), body=body)
            for id, pk, body in rows.values_list("id", owner, "body")
        ]
    return lines + (people.news(persons) if persons else [])


def admitted(holders: Collection[Holder]) -> dict[Holder, Admission]:
    """Which token and stream count, by holder; one that is missing may not play now."""
    bots, persons = _ids(holders)
    rows = RemoteBot.objects.may_play().filter(pk__in=bots)
    found = rows.values_list("pk", "digest", "presence__stream")
    admissions = {
        Holder(bot): Admission(token=digest or "", stream=stream or "")
        for bot, digest, stream in found
    }
    if persons:
        seated = Person.objects.filter(pk__in=persons).values_list("pk", "digest", "stream")
        admissions |= {
            Holder(pk, True): Admission(token=digest, stream=stream)
            for pk, digest, stream in seated
        }
    return admissions


def _ids(holders: Collection[Holder]) -> tuple[list[int], list[int]]:
    """The bots and the people among them."""
    bots = [holder.id for holder in holders if not holder.is_person]
    return bots, [holder.id for holder in holders if holder.is_person]


def _ago_ms(now: datetime | Any, then: datetime | None) -> int | None:
    if then is None:
        return None
    now = now if isinstance(now, datetime) else timezone.now()
    return int((now - then).total_seconds() * 1000)
