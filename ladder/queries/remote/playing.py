"""Plays of remote bots: their clocks while they are under way, and the notes afterwards."""

from __future__ import annotations

from django.conf import settings
from django.db.models import QuerySet

from engine.arena import plan
from engine.replay import Replay
from ladder.contract.remote import RunningClock
from ladder.models import Line, Match, RemoteBot, Sitting


def clocks(match: int) -> list[RunningClock]:
    """The clocks of the remote bots of a match under way, by seat."""
    sitting = Sitting.objects.select_related("match").filter(match=match).first()
    if sitting is None or sitting.match.status != Match.Status.RUNNING:
        return []
    row = sitting.match
    assert row.seed is not None  # it was claimed
    seated = row.seated()
    seating = plan(row.board.rules, row.seats, len(seated), row.seed)[0]
    remotes = RemoteBot.objects.in_bulk([seat.bot for seat in seated])
    online = set(RemoteBot.objects.online().filter(pk__in=remotes).values_list("pk", flat=True))
    asked = Line.objects.filter(sitting=match, state=Line.State.OPEN, type=Line.Type.DECIDE)
    waited_for = set(asked.values_list("seat", flat=True))
    found = []
    for at, slot in enumerate(seating):
        remote = remotes.get(seated[slot].bot)
        if remote is None:
            continue
        used, away = sitting.clocks.get(str(at), [0, 0])
        found.append(
            RunningClock(
                seat=at,
                name=seated[slot].name,
                used_s=used // 1000,
                budget_s=settings.TEMPO_SECONDS[remote.tempo],
                away_s=away // 1000,
                grace_s=settings.REMOTE_GRACE_SECONDS,
                is_asked=at in waited_for,
                is_online=remote.pk in online,
            )
        )
    return found


def has_notes(match: int) -> bool:
    return _noted(match).exists()


def notes(match: int, replay: Replay) -> dict[int, str]:
    """What remote bots noted with their decisions, by the step that the decision led to."""
    by_number = dict(_noted(match).values_list("number", "note"))
    found, number = {}, 0
    for step, entry in enumerate(replay.log, 1):
        if "fault" in entry or ("action" in entry and not entry.get("auto")):
            if number in by_number:
                found[step] = by_number[number]
            number += 1
    return found


def _noted(match: int) -> QuerySet[Line]:
    return Line.objects.filter(sitting=match, type=Line.Type.DECIDE).exclude(note="")
