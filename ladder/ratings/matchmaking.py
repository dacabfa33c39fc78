"""Who plays next, against whom, and why, in words."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

CLOSE_ELO = 150.0
ANY_RATING_SHARE = 0.2
PROVISIONAL_WEIGHT, TOP_WEIGHT, PLAIN_WEIGHT = 4, 2, 1
FAINTEST = 1e-12  # keeps a bot drawable when everybody is thousands of points away

Id = Any  # hashable
Meetings = Mapping[frozenset[Id], int]


@dataclass(frozen=True, slots=True)
class Candidate:
    """One bot's version that may be seated."""

    id: Id
    name: str
    rating: float  # Elo
    games: float
    owner: Id
    is_provisional: bool = False
    is_top: bool = False  # among the board's best 16
    is_house: bool = False

    @property
    def weight(self) -> int:
        """How many games it is given for each game of a plain bot."""
        if self.is_provisional:
            return PROVISIONAL_WEIGHT
        return TOP_WEIGHT if self.is_top else PLAIN_WEIGHT

    @property
    def virtual_time(self) -> float:
        """Games per weight: the lowest has waited longest."""
        return self.games / self.weight


@dataclass(frozen=True, slots=True)
class Seating:
    """The bots of the next match, the one that waited longest first, and why these."""

    candidates: tuple[Candidate, ...]
    why: str


def opponent_weight(
    seeker: Candidate, other: Candidate, meetings: int, *, any_rating: bool = False
) -> float:
    """exp(-(dR/150)^2/2) / (1 + meetings), or 0 where the two may not meet."""
    if not may_meet(seeker, other):
        return 0.0
    gap = (seeker.rating - other.rating) / CLOSE_ELO
    closeness = 1.0 if any_rating else max(FAINTEST, math.exp(-gap * gap / 2))
    return closeness / (1 + meetings)


def may_meet(a: Candidate, b: Candidate) -> bool:
    """Bots of one owner never share a rated table, house bots aside."""
    return a.id != b.id and (a.is_house or b.is_house or a.owner != b.owner)


def next_seating(
    candidates: Sequence[Candidate],
    meetings: Meetings,
    *,
    seats: int,
    rng: Random,
    provisional_limit: int = 1,
    newcomer: Candidate | None = None,
) -> Seating | None:
    """Seat the bot that waited longest with drawn opponents; None if no table can be made.

    Where it cannot be seated the next in line is tried. House bots fill tables but never wait.
    Of several that waited equally long, the first listed is served. A `newcomer` goes before all.
    """
    pool = _Pool(candidates, provisional_limit)
    waiting = sorted(
        (one for one in candidates if not one.is_house), key=lambda one: one.virtual_time
    )
    if newcomer is not None:
        waiting.insert(0, newcomer)
    for rank, seeker in enumerate(waiting):
        if pool.room_beside([seeker]) >= seats - 1:
            why = _why_seeker(seeker, rank, is_newcomer=seeker is newcomer and rank == 0)
            return _seat(pool, seeker, why, meetings, seats=seats, rng=rng)
    return None


class _Pool:
    """All candidates, counted so that 'can this table still be filled?' is quick to answer."""

    def __init__(self, candidates: Sequence[Candidate], provisional_limit: int) -> None:
        self.candidates = candidates
        self.provisional_limit = provisional_limit
        players = [one for one in candidates if not one.is_house]
        self._houses = sum(one.is_house for one in candidates)
        self._steady_owners = {one.owner for one in players if not one.is_provisional}
        self._new_owners = {one.owner for one in players} - self._steady_owners

    def room_beside(self, seated: Sequence[Candidate]) -> int:
        """The most bots that can still join the seated ones."""
        owners = {one.owner for one in seated if not one.is_house}
        houses = self._houses - sum(one.is_house for one in seated)
        steady = len(self._steady_owners) - len(self._steady_owners & owners)
        new = len(self._new_owners) - len(self._new_owners & owners)
        return houses + steady + min(new, self.provisional_left(seated))

    def provisional_left(self, seated: Iterable[Candidate]) -> int:
        """How many more provisional bots the table may hold."""
        return self.provisional_limit - sum(one.is_provisional for one in seated)


def _seat(
    pool: _Pool,
    seeker: Candidate,
    why: str,
    meetings: Meetings,
    *,
    seats: int,
    rng: Random,
) -> Seating:
    seated = [seeker]
    any_rating = rng.random() < ANY_RATING_SHARE
    met = {one.id: meetings.get(frozenset((seeker.id, one.id)), 0) for one in pool.candidates}
    hopefuls = {
        one: opponent_weight(seeker, one, met[one.id], any_rating=any_rating)
        for one in pool.candidates
        if may_meet(seeker, one)
    }
    while len(seated) < seats:
        if not pool.provisional_left(seated):
            hopefuls = {one: w for one, w in hopefuls.items() if not one.is_provisional}
        drawn = rng.choices(list(hopefuls), weights=list(hopefuls.values()))[0]
        if pool.room_beside([*seated, drawn]) >= seats - len(seated) - 1:
            seated.append(drawn)
            hopefuls = {one: w for one, w in hopefuls.items() if may_meet(drawn, one)}
        else:  # it would leave a seat that nobody can fill
            del hopefuls[drawn]
    reasons = [why]
    reasons += [_why_drawn(seeker, one, met[one.id], any_rating) for one in seated[1:]]
    return Seating(tuple(seated), "; ".join(reasons))


def _why_seeker(seeker: Candidate, rank: int, *, is_newcomer: bool) -> str:
    waited = "is new and goes first" if is_newcomer else "has waited longest"
    if rank and not is_newcomer:
        waited += " of those that can be seated"
    return f"{seeker.name} {waited} ({seeker.games:.0f} games, weight {seeker.weight})"


def _why_drawn(seeker: Candidate, drawn: Candidate, met: int, any_rating: bool) -> str:
    gap = abs(seeker.rating - drawn.rating)
    ratings = f"({drawn.rating:.0f} v {seeker.rating:.0f})"
    if any_rating:
        rating = f"whatever its rating {ratings}"
    elif gap <= CLOSE_ELO:
        rating = f"for a close rating {ratings}"
    else:
        rating = f"in spite of its rating {ratings}"
    times = {0: "no earlier meeting", 1: "one earlier meeting"}.get(met, f"{met} earlier meetings")
    return f"{drawn.name} was drawn {rating} and {times}"
