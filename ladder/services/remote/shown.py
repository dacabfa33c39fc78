"""A play of people, set up in this process as far as it went: what a seat may see and do."""

from __future__ import annotations

import threading
from collections import OrderedDict

from ladder.contract.people import Chair, PeopleSitting
from ladder.queries.remote import people
from ladder.theatre.shared import SharedPlay

MOST_PLAYS = 60  # kept set up in a process
_plays: OrderedDict[int, SharedPlay] = OrderedDict()  # by match
_lock = threading.Lock()


def seen(chair: Chair, after: int) -> dict[str, object] | None:
    """The play as a seat may see it, from frame `after` on; None before it has begun."""
    sitting = people.sitting(chair.table)
    if sitting is None:
        return None
    with _lock:
        told = _fed(sitting).seen_by(chair.seat, after)
    return told | {"line": people.open_line(chair.person, len(sitting.given))}


def hint(chair: Chair) -> dict[str, object]:
    """What a house bot would do in this seat's place."""
    sitting = people.sitting(chair.table)
    if sitting is None:
        return {"refused": "The game has not begun."}
    with _lock:
        return _fed(sitting).hint_for(chair.seat)


def refusal(match: int, number: int, action: str) -> str:
    """Why the rules do not allow this answer to a match's decision; empty if they do."""
    sitting = people.sitting_of(match)
    if sitting is None or len(sitting.given) != number:
        return ""  # it was asked before: the door knows what became of it
    with _lock:
        return _fed(sitting).refusal(action)


def _fed(sitting: PeopleSitting) -> SharedPlay:
    play = _plays.get(sitting.match)
    if play is None or play.fed > len(sitting.given):
        seats = [{"name": one.name, "bot": one.bot, "sha256": one.sha256} for one in sitting.seats]
        play = SharedPlay({"game": sitting.game, "seed": sitting.seed, "seats": seats})
    _plays[sitting.match] = play
    _plays.move_to_end(sitting.match)
    while len(_plays) > MOST_PLAYS:
        _plays.popitem(last=False)
    play.feed(sitting.given)
    return play
