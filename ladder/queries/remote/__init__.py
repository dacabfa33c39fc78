"""Remote bots: what pages show of them, what they are to be sent, and who is there."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.db.models.functions import Now
from django.utils import timezone

from ladder.contract.remote import Admission, Asked, Attendance, Remote, Seat, SeatLine, Tempo
from ladder.models import Line, Match, Presence, RemoteBot, StreamProcess
from ladder.models.remote import STREAM_SILENT_S

MOST_LINES = 500  # read at once for all streams; the rest comes the next time


def find(bot: int) -> Remote | None:
    """A remote bot's own facts; None for a bot with a program."""
    row = RemoteBot.objects.select_related("bot", "presence").filter(pk=bot).first()
    if row is None:
        return None
    presence: Presence | None = getattr(row, "presence", None)
    is_online = RemoteBot.objects.online().filter(pk=bot).exists()
    return Remote(
        bot=bot,
        name=row.bot.name,
        description=row.description,
        tempo=Tempo(row.tempo),
        takes_challenges=row.takes_challenges,
        plays_rated=row.plays_rated,
        is_online=is_online,
        online_since=presence.since if presence and is_online else None,
        last_seen_at=presence.gone_at if presence and not is_online else None,
        absences=presence.absences if presence else 0,
        round_trip_ms=presence.round_trip_ms if presence else None,
        has_token=row.digest is not None,
    )


def is_online(bot: int) -> bool:
    return RemoteBot.objects.online().filter(pk=bot).exists()


def seat_of(secret: str) -> Seat | None:
    """The bot that a token belongs to."""
    found = RemoteBot.objects.by_secret(secret)
    if found is None:
        return None
    return Seat(bot=found.pk, name=found.bot.name, token=found.digest or "")


def asked(lines: Collection[str]) -> dict[str, Asked]:
    """Where decisions stand, by their ids."""
    rows = Line.objects.filter(pk__in=lines).annotate(now=Now())
    return {
        id: Asked(line=id, state=state, action=action, delivered_ms=_ago_ms(now, delivered))
        for id, state, action, delivered, now in rows.values_list(
            "id", "state", "action", "delivered_at", "now"
        )
    }


def attendance(bots: Collection[int]) -> dict[int, Attendance]:
    """Who is there; a bot that never came is gone."""
    rows = StreamProcess.objects.annotate(now=Now()).values_list("name", "seen_at", "now")
    silent = {name: _ago_ms(now, seen) for name, seen, now in rows}
    is_any_up = any(ms is not None and ms < STREAM_SILENT_S * 1000 for ms in silent.values())
    nobody = Attendance(is_gone=True, silent_ms=None, is_any_up=is_any_up)
    here = dict.fromkeys(bots, nobody)
    known = Presence.objects.filter(pk__in=bots).annotate(now=Now())
    for bot, process, gone, now in known.values_list("pk", "process", "gone_at", "now"):
        here[bot] = Attendance(
            is_gone=gone is not None and gone <= now,
            silent_ms=silent.get(process),
            is_any_up=is_any_up,
        )
    return here


def open_lines(bots: Collection[int]) -> list[SeatLine]:
    """What these bots are to be sent now, oldest first."""
    is_due = Q(type=Line.Type.END) | Q(
        sitting__match__status__in=[Match.Status.QUEUED, Match.Status.RUNNING]
    )
    rows = Line.objects.filter(is_due, remote__in=bots, state=Line.State.OPEN)
    rows = rows.order_by("opened_at")[:MOST_LINES]
    return [
        SeatLine(id=id, bot=bot, body=body)
        for id, bot, body in rows.values_list("id", "remote", "body")
    ]


def admitted(bots: Collection[int]) -> dict[int, Admission]:
    """Which token and stream count, by bot; one that is missing may not play now."""
    rows = RemoteBot.objects.may_play().filter(pk__in=bots)
    found = rows.values_list("pk", "digest", "presence__stream")
    return {
        bot: Admission(token=digest or "", stream=stream or "") for bot, digest, stream in found
    }


def _ago_ms(now: datetime | Any, then: datetime | None) -> int | None:
    if then is None:
        return None
    now = now if isinstance(now, datetime) else timezone.now()
    return int((now - then).total_seconds() * 1000)
