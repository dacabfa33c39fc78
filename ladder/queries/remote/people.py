"""Tables of people: the room, what is new there, and the play as one seat may see it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection
from hashlib import sha256
from typing import Any

from django.db.models import Count, Max, Q
from django.db.models.functions import Now

from engine.game import house_name
from engine.games import GAMES
from ladder.contract.people import Chair, Place, Room, RoomSeat, RoomState
from ladder.contract.remote import Holder, SeatLine
from ladder.models import Line, Match, Person, SharedTable, StreamProcess
from ladder.theatre.shared import SharedPlay

MOST_PLAYS = 60  # kept set up in a process
_plays: OrderedDict[int, SharedPlay] = OrderedDict()  # by match
_lock = threading.Lock()


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


def seen(chair: Chair, after: int) -> dict[str, object] | None:
    """The play as a seat may see it, from frame `after` on; None before it has begun."""
    table = SharedTable.objects.select_related("match__sitting").get(pk=chair.table)
    if table.match is None or table.match.seed is None:
        return None
    given = table.match.sitting.given
    with _lock:
        told = _fed(table, given).seen_by(chair.seat, after)
    asked = Line.objects.filter(person=chair.person, state=Line.State.OPEN, number=len(given))
    line = asked.filter(type=Line.Type.DECIDE).values_list("pk", flat=True).first()
    return told | {"line": line}


def hint(chair: Chair) -> dict[str, object]:
    """What a house bot would do in this seat's place."""
    table = SharedTable.objects.select_related("match__sitting").get(pk=chair.table)
    if table.match is None or table.match.seed is None:
        return {"refused": "The game has not begun."}
    with _lock:
        return _fed(table, table.match.sitting.given).hint_for(chair.seat)


def refusal(match: int, number: int, action: str) -> str:
    """Why the rules do not allow this answer to a match's decision; empty if they do."""
    table = SharedTable.objects.select_related("match__sitting").get(match=match)
    assert table.match is not None
    given = table.match.sitting.given
    if len(given) != number:
        return ""  # it was asked before: the door knows what became of it
    with _lock:
        return _fed(table, given).refusal(action)


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


def _fed(table: SharedTable, given: list[Any]) -> SharedPlay:
    match = table.match
    assert match is not None and match.seed is not None
    play = _plays.get(match.pk)
    if play is None or play.fed > len(given):
        seats = [{"name": one.name, "bot": one.bot, "sha256": one.sha256} for one in _seated(table)]
        play = SharedPlay({"game": table.game, "seed": match.seed, "seats": seats})
    _plays[match.pk] = play
    _plays.move_to_end(match.pk)
    while len(_plays) > MOST_PLAYS:
        _plays.popitem(last=False)
    play.feed(given)
    return play


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
