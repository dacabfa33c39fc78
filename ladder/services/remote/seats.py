"""What a connected bot or person does: it comes, is sent lines, answers, and goes."""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce, Now

from ladder.contract.remote import ANSWERING, Holder
from ladder.errors import Code, LadderError, Missing
from ladder.models import Line, Person, Presence, RemoteBot, StreamProcess
from ladder.queries import remote
from ladder.services.remote import shown

LINE = re.compile(r"[0-9a-f]{16}")
CHANNEL = "ladle_seats"  # the bell of keepers and streams on PostgreSQL
POLLER_STAYS = timedelta(seconds=10)  # a client that polls is present between two polls


def ring() -> None:
    """Wake keepers and streams when this transaction is committed; SQLite needs no bell."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(f"NOTIFY {CHANNEL}")


def heartbeat(process: str) -> None:
    """A process that holds streams is alive; rows of those long dead go."""
    StreamProcess.objects.update_or_create(name=process, defaults={"seen_at": Now()})
    StreamProcess.objects.filter(seen_at__lt=Now() - timedelta(hours=1)).delete()


def goodbye(process: str) -> None:
    """A process ends in an orderly way: its bots are absent through no fault of theirs."""
    StreamProcess.objects.filter(name=process).update(seen_at=Now() - timedelta(seconds=6))


def _presences(holder: Holder) -> QuerySet[Any]:
    if holder.is_person:
        return Person.objects.filter(pk=holder.id)
    return Presence.objects.filter(pk=holder.id)


def arrive(*, holder: Holder, stream: str, process: str, is_draining: bool = False) -> None:
    """This stream is now the holder's; an older one is to be closed."""
    with transaction.atomic():
        fields = {"stream": stream, "process": process, "since": Now(), "gone_at": None}
        if not holder.is_person:
            fields["is_draining"] = is_draining
        if not _presences(holder).update(**fields) and not holder.is_person:
            Presence.objects.update_or_create(pk=holder.id, defaults=fields)
        ring()


def poll(*, holder: Holder, process: str, is_draining: bool = False) -> None:
    """A client without a stream asks: it is present until some seconds after its next pause."""
    fields: dict[str, Any] = {"stream": "poll", "process": process, "gone_at": None}
    if not holder.is_person:
        fields["is_draining"] = is_draining
    if not _presences(holder).update(**fields) and not holder.is_person:
        Presence.objects.get_or_create(pk=holder.id, defaults={**fields, "since": Now()})


def end_poll(*, holder: Holder) -> None:
    polling = _presences(holder).filter(stream="poll")
    polling.update(gone_at=Now() + POLLER_STAYS)


def leave(*, holder: Holder, stream: str) -> None:
    """The holder's stream ended; nothing happens if a newer one took its place."""
    current = _presences(holder).filter(stream=stream, gone_at=None)
    current.update(gone_at=Now(), absences=F("absences") + 1)


def hold(bots: Collection[int]) -> set[int]:
    """Which of these take a new play; none of them starts to drain before the transaction's end."""
    list(Presence.objects.select_for_update().filter(pk__in=bots).order_by("pk"))
    return set(RemoteBot.objects.takes_plays().filter(pk__in=bots).values_list("pk", flat=True))


def drain(*, bot: int, is_draining: bool = True) -> list[int]:
    """From now on a bot is given no new plays, or again; those that it has to finish.

    The update waits for a transaction that holds the bot, so the answer has the match queued there.
    """
    Presence.objects.filter(pk=bot).update(is_draining=is_draining)
    return remote.under_way(bot)


def deliver(lines: Collection[str]) -> None:
    """Lines were sent: the clock of a decision runs from its first delivery; an end is sent."""
    if not lines:
        return
    with transaction.atomic():
        still_open = Line.objects.filter(pk__in=lines, state=Line.State.OPEN)
        ends = still_open.filter(type=Line.Type.END)
        ends.update(state=Line.State.TOLD, body={}, delivered_at=Now())
        asked = still_open.filter(type=Line.Type.DECIDE, delivered_at=None)
        if asked.update(delivered_at=Now()):
            ring()


def _check_rules(own: QuerySet[Line], action: str) -> None:
    """A bot's illegal answer is a fault; a person may try again."""
    asked = own.filter(state=Line.State.OPEN).values_list("sitting", "number").first()
    refusal = shown.refusal(*asked, action) if asked else ""
    if refusal:
        raise LadderError(f"The rules do not allow it: {refusal}.", code=Code.VALIDATION)


def answer(*, holder: Holder, line: str, action: str, note: str = "") -> None:
    """Take the answer to a decision once. The same again is fine, another one is refused."""
    if len(action) > ANSWERING.most_action or "\x00" in action + note:
        raise LadderError(
            f"The action has {len(action)} characters; at most {ANSWERING.most_action} are"
            " allowed, and none may be NUL.",
            code=Code.VALIDATION,
        )
    if len(note) > ANSWERING.most_note:
        raise LadderError(
            f"The note has {len(note)} characters; at most {ANSWERING.most_note} are allowed.",
            code=Code.VALIDATION,
        )
    known_id = line if LINE.fullmatch(line) else ""  # PostgreSQL refuses a NUL
    whose = {"person" if holder.is_person else "remote": holder.id}
    own = Line.objects.filter(pk=known_id, type=Line.Type.DECIDE, **whose)
    if holder.is_person:
        _check_rules(own, action)
    with transaction.atomic():
        # One conditional update: the clock and the door cannot both win.
        if own.filter(state=Line.State.OPEN).update(
            state=Line.State.ANSWERED,
            action=action,
            note=note,
            answered_at=Now(),
            delivered_at=Coalesce("delivered_at", Now()),
        ):
            ring()
            return
    known = own.values("state", "action").first()
    if known is None:
        raise Missing(f"decision {line[:32]}")
    if known["state"] in (Line.State.ANSWERED, Line.State.TAKEN):
        if known["action"] == action:
            return
        raise LadderError(
            f"This decision was answered with {known['action']!r}; the first answer counts.",
            code=Code.ALREADY_ANSWERED,
        )
    if known["state"] == Line.State.WITHDRAWN:
        raise LadderError("The match was called off.", code=Code.MATCH_OVER)
    raise LadderError(
        "The time for this play was used up before the answer came.", code=Code.TOO_LATE
    )
