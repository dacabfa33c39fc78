"""Tables of people: the room, what is new there, and what their play is made of."""

from __future__ import annotations

from collections.abc import Collection
from hashlib import sha256

from django.db.models import Count, Max, Q
from django.db.models.functions import Now

from engine.game import house_name
from engine.games import GAMES
from ladder.contract.people import Chair, PeopleSitting, Place, Room, RoomSeat, RoomState
from ladder.contract.remote import Holder, SeatLine
from ladder.models import Line, Match, Person, SharedTable, StreamProcess


def room(key: str) -> Room | None:
    """A table by the key in its link."""
    table = _table(key)
    if table is None:
        return None
    alive = StreamProcess.objects.alive().values("name")
    here = Q(process__in=alive) & (Q(gone_at=None) | Q(gone_at__gt=Now()))
    online = set(Person.objects.filter(here, table=table).values_list("pk", flat=True))
    people = {person.seat: person for person in table.people.all()}
    return Room(
        key=table.key,
        game=table.game,
        state=_state(table),
        seats=[
            RoomSeat(name=house_name(short), is_bot=True, is_online=True)
            if short
            else RoomSeat(
                name=people[seat].name if seat in people else "",
                is_bot=False,
                is_online=seat in people and people[seat].pk in online,
            )
            for seat, short in enumerate(table.places)
        ],
        play=table.play_id,
    )


def chair(secret: str) -> Chair | None:
    """Whose secret this is."""
    if not secret.startswith("ladleseat_"):
        return None
    found = Person.objects.select_related("table").filter(digest=Person.digest_of(secret)).first()
    if found is None:
        return None
    table = found.table
    return Chair(person=found.pk, table=table.pk, key=table.key, seat=found.seat, name=found.name)


def sitting(table: int) -> PeopleSitting | None:
    """What a table's play is made of; None before it has begun."""
    return _sitting(SharedTable.objects.select_related("match__sitting").get(pk=table))


def sitting_of(match: int) -> PeopleSitting | None:
    return _sitting(SharedTable.objects.select_related("match__sitting").get(match=match))


def _sitting(table: SharedTable) -> PeopleSitting | None:
    if table.match is None or table.match.seed is None:
        return None
    return PeopleSitting(
        match=table.match.pk,
        game=table.game,
        seed=table.match.seed,
        seats=_seated(table),
        given=table.match.sitting.given,
    )


def open_line(person: int, number: int) -> str | None:
    """The id of the decision of this number, if this person is asked for it."""
    asked = Line.objects.filter(person=person, state=Line.State.OPEN, number=number)
    found: str | None = asked.filter(type=Line.Type.DECIDE).values_list("pk", flat=True).first()
    return found


def news(people: Collection[int]) -> list[SeatLine]:
    """For each of these people a line that is another one whenever their table has changed."""
    columns = ("pk", "table", "table__match", "table__match__status", "table__play")
    seated = list(Person.objects.filter(pk__in=people).values_list(*columns))
    counted = Person.objects.filter(table__in={row[1] for row in seated}).order_by()
    joined = dict(counted.values_list("table").annotate(count=Count("pk")))
    asked = Line.objects.filter(sitting__in={row[2] for row in seated if row[2]}).order_by()
    last = dict(asked.values_list("sitting").annotate(last=Max("number")))
    lines = []
    for person, table, match, status, play in seated:
        at = f"{joined[table]}.{status or '-'}.{last.get(match, 0)}.{play or 0}"
        body = {"type": "table", "id": f"table-{at}"}
        lines.append(SeatLine(id=f"table-{at}", holder=Holder(person, True), body=body))
    return lines


def house_digest(game: str, short: str) -> str:
    return sha256(GAMES[game].house_bots()[short].read_bytes()).hexdigest()


def _table(key: str) -> SharedTable | None:
    if "\x00" in key:
        return None
    return SharedTable.objects.select_related("match").filter(key=key).first()


def _state(table: SharedTable) -> RoomState:
    if table.play_id is not None:
        return RoomState.OVER
    if table.match is None:
        return RoomState.WAITING
    if table.match.status in (Match.Status.VOID, Match.Status.CANCELLED):
        return RoomState.CALLED_OFF
    return RoomState.PLAYING


def seated(match: int) -> list[Place]:
    """Who sits where at the table of a match."""
    return _seated(SharedTable.objects.get(match=match))


def _seated(table: SharedTable) -> list[Place]:
    people = {seat: (pk, name) for pk, seat, name in table.people.values_list("pk", "seat", "name")}
    return [
        Place(name=house_name(short), bot=short, sha256=house_digest(table.game, short))
        if short
        else Place(person=people[seat][0], name=people[seat][1])
        for seat, short in enumerate(table.places)
    ]
