"""Who plays next, against whom, and why, in words."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import itemgetter
from random import Random
from typing import Any

from ladder.ratings.fit import RANKED_AT_LAST, RANKED_SETS, RANKED_WIDTH
from ladder.ratings.intervals import Z95

CLOSE_ELO = 150.0
ANY_RATING_SHARE = 0.2
TOP_WEIGHT, PLAIN_WEIGHT = 2, 1
TICK_TABLES = 4
AT_ONCE = 4  # ticks drawn from one look at a board: with more, too many would be neighbours
OPEN_SETS = 8
SOLO_TABLE = 8
SOLO_SEEDS = 2
SETTLED_WIDTH = 75.0  # half of the interval; narrower is not worth the electricity
SETTLED_SETS = 200
FAINTEST = 1e-12  # keeps a bot drawable when everybody is thousands of points away

Id = Any  # hashable
Meetings = Mapping[Id, int]  # of one version with others


def is_settled(*, is_ranked: bool, half_width: float, sets: int) -> bool:
    """Whether a version is known so well that it plays only where others need an opponent."""
    return is_ranked and (half_width <= SETTLED_WIDTH or sets >= SETTLED_SETS)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One bot's version that may be seated."""

    id: Id
    name: str
    rating: float  # Elo
    sets: int
    owner: Id
    is_ranked: bool = True
    is_top: bool = False  # among the board's best 16
    is_house: bool = False
    is_settled: bool = False
    variance: float = 0.0  # of the rating
    open: int = 0  # sets that are arranged and not rated yet
    turn_in: float = 0.0  # seconds until its owner's turn for it; negative: since then

    @property
    def arranged(self) -> int:
        """Sets that it has played or is going to."""
        return self.sets + self.open

    @property
    def virtual_time(self) -> float:
        """Sets per weight: the lowest has waited longest."""
        return self.arranged / (TOP_WEIGHT if self.is_top else PLAIN_WEIGHT)

    @property
    def is_covered(self) -> bool:
        """Whether its open sets will be enough for a rank, judged by its interval.

        An interval narrows with the root of the sets.
        """
        half_width = Z95 * math.sqrt(self.variance)
        needed = self.sets * (half_width / RANKED_WIDTH) ** 2
        return self.open > 0 and self.arranged >= min(max(needed, RANKED_SETS), RANKED_AT_LAST)

    @property
    def may_seek(self) -> bool:
        """Whether its open sets are few compared with what is known of it.

        Who meets whom is chosen by ratings, so most of them should rest on results.
        """
        return self.open < max(OPEN_SETS, self.sets)


@dataclass(frozen=True, slots=True)
class Seating:
    """The bots of the next match, the one it is made for first, and why these."""

    candidates: tuple[Candidate, ...]
    why: str


def opponent_weight(
    seeker: Candidate, other: Candidate, meetings: int, *, any_rating: bool = False
) -> float:
    """exp(-dR^2 / (2 (150^2 + V))) / (1 + meetings), for two who may meet.

    V is the variance of both ratings together. Who is not known well meets all kinds: if it met
    only those of its present rating, what was luck would look like knowledge, and intervals
    would be too narrow.
    """
    gap = seeker.rating - other.rating
    reach = CLOSE_ELO**2 + seeker.variance + other.variance
    closeness = 1.0 if any_rating else max(FAINTEST, math.exp(-gap * gap / (2 * reach)))
    return closeness / (1 + meetings)


def may_meet(a: Candidate, b: Candidate) -> bool:
    """Bots of one owner never share a rated table, house bots aside."""
    return a.id != b.id and (a.is_house or b.is_house or a.owner != b.owner)


def tick_tables(
    candidates: Sequence[Candidate],
    met: Callable[[Id], Meetings],
    *,
    seats: int,
    rng: Random,
    anyone: Collection[Id] | None = None,
) -> list[Seating]:
    """The tables of a board's next tick; none if nobody needs one or no table can be made."""
    ticks = next_ticks(candidates, met, seats=seats, rng=rng, anyone=anyone, most=1)
    return ticks[0] if ticks else []


def next_ticks(
    candidates: Sequence[Candidate],
    met: Callable[[Id], Meetings],
    *,
    seats: int,
    rng: Random,
    anyone: Collection[Id] | None = None,
    most: int,
) -> list[list[Seating]]:
    """The tables of a board's next ticks, `most` at most.

    Each table goes to the first in the queue (`queue_of`), arranged sets counted. A tick with
    somebody who has not played at all ends as soon as all such are seated: a first result comes
    at once.

    `anyone` are those who may be met whatever their rating, where the candidates are not all.
    """
    ticks: list[list[Seating]] = []
    known: dict[Id, dict[Id, int]] = {}
    people = {one.id: one for one in candidates}
    for _ in range(most):
        tables: list[Seating] = []
        has_fresh = any(not one.arranged and not one.is_house for one in people.values())
        for _ in range(TICK_TABLES):
            pool = _Pool(list(people.values()), anyone)
            waiting = queue_of(pool.candidates)
            seeker = next((one for one in waiting if pool.room_beside([one]) >= seats - 1), None)
            if seeker is None or (tables and has_fresh and seeker.arranged):
                break
            if seeker.id not in known:
                known[seeker.id] = dict(met(seeker.id))
            seated = seat(pool, seeker, known[seeker.id], seats=seats, rng=rng)
            tables.append(seated)
            for one in seated.candidates:
                people[one.id] = replace(one, open=one.open + 1)
                for other in seated.candidates:
                    if one.id in known and other.id != one.id:
                        known[one.id][other.id] = known[one.id].get(other.id, 0) + 1
        if not tables:
            break
        ticks.append(tables)
    return ticks


def queue_of(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Those who need a table, the neediest first; house bots and the settled never do.

    First whoever has not played at all, in turns by owner. Then those without a rank whose owner's
    turn has come, the one with the most sets first: where the workers cannot keep up, bots are
    finished before others are begun. Then those whose turn is to come. Those with a rank wait by
    sets for their weight, and meanwhile play as opponents.
    """
    players = [one for one in candidates if not one.is_house and not one.is_settled]
    seekers = [one for one in players if one.may_seek]
    begun = [one for one in seekers if one.arranged and not one.is_ranked]
    ranked = sorted((one for one in seekers if one.is_ranked), key=lambda one: one.virtual_time)
    return _by_turns(players) + sorted(begun, key=_place) + ranked


def _place(one: Candidate) -> tuple[bool, bool, int, float]:
    """Where one that has been seated stands among those without a rank."""
    return one.turn_in > 0, one.is_covered, -one.arranged, one.turn_in


def _by_turns(players: Sequence[Candidate]) -> list[Candidate]:
    """Those who have not been seated yet, one of each owner in turn, the last listed first.

    So an upload does not wait for all that its or another owner has uploaded before.
    """
    fresh = [one for one in reversed(players) if not one.arranged and not one.is_ranked]
    turns = Counter(one.owner for one in players if one.open and not one.sets)
    queue = []
    for one in fresh:
        queue.append((turns[one.owner], one))
        turns[one.owner] += 1
    return [one for _, one in sorted(queue, key=itemgetter(0))]


def solo_table(candidates: Sequence[Candidate]) -> Seating | None:
    """Those who need it most and the house bots, to play the same seeds; None if nobody does."""
    house = [one for one in candidates if one.is_house]
    waiting = queue_of(candidates)
    if not waiting:
        return None
    rest = sorted(
        (one for one in candidates if one.is_settled and not one.is_house),
        key=lambda one: one.virtual_time,
    )
    guests = (waiting + rest)[: max(2, SOLO_TABLE - len(house))]
    if len(guests) + len(house) < 2:
        return None
    why = f"{_why_seeker(waiting[0])}; the others play the same seeds for comparison."
    return Seating((*guests, *house), why)


def solo_ticks(candidates: Sequence[Candidate], most: int) -> list[list[Seating]]:
    """The next ticks of a solo board, `most` at most: each is one table with several seeds."""
    people = {one.id: one for one in candidates}
    ticks: list[list[Seating]] = []
    while len(ticks) < most and (table := solo_table(list(people.values()))) is not None:
        ticks.append([table] * SOLO_SEEDS)
        for one in table.candidates:
            people[one.id] = replace(one, open=one.open + SOLO_SEEDS)
    return ticks


class _Pool:
    """All candidates, counted so that 'can this table still be filled?' is quick to answer."""

    def __init__(
        self, candidates: Sequence[Candidate], anyone: Collection[Id] | None = None
    ) -> None:
        self.candidates = candidates
        self.anyone = anyone
        self._houses = sum(one.is_house for one in candidates)
        self._owners = {one.owner for one in candidates if not one.is_house}

    def room_beside(self, seated: Sequence[Candidate]) -> int:
        """The most bots that can still join the seated ones."""
        owners = {one.owner for one in seated if not one.is_house}
        houses = self._houses - sum(one.is_house for one in seated)
        return houses + len(self._owners - owners)


def seat(pool: _Pool, seeker: Candidate, met: Meetings, *, seats: int, rng: Random) -> Seating:
    """A table for the seeker with drawn opponents; there must be enough of them."""
    seated = [seeker]
    any_rating = rng.random() < ANY_RATING_SHARE
    hopefuls = [one for one in pool.candidates if may_meet(seeker, one)]
    if any_rating and pool.anyone is not None:
        strangers = [one for one in hopefuls if one.id in pool.anyone]
        hopefuls = strangers if len(strangers) >= 2 * seats else hopefuls
    weights = [
        opponent_weight(seeker, one, met.get(one.id, 0), any_rating=any_rating) for one in hopefuls
    ]
    while len(seated) < seats:
        at = rng.choices(range(len(hopefuls)), weights)[0]
        drawn = hopefuls[at]
        if pool.room_beside([*seated, drawn]) >= seats - len(seated) - 1:
            seated.append(drawn)
            if len(seated) == seats:
                break
            left = [i for i, one in enumerate(hopefuls) if may_meet(drawn, one)]
        else:  # it would leave a seat that nobody can fill
            left = [i for i in range(len(hopefuls)) if i != at]
        hopefuls, weights = [hopefuls[i] for i in left], [weights[i] for i in left]
    reasons = [_why_seeker(seeker)]
    reasons += [_why_drawn(seeker, one, met.get(one.id, 0), any_rating) for one in seated[1:]]
    return Seating(tuple(seated), "; ".join(reasons))


def _why_seeker(seeker: Candidate) -> str:
    sets = {0: "no sets", 1: "one set"}.get(seeker.sets, f"{seeker.sets} sets")
    if not seeker.is_ranked:
        return f"{seeker.name} has no rank yet after {sets}"
    weight = " as one of the best" if seeker.is_top else ""
    return f"{seeker.name} has waited the longest{weight} ({sets})"


def _why_drawn(seeker: Candidate, drawn: Candidate, met: int, any_rating: bool) -> str:
    gap = abs(seeker.rating - drawn.rating)
    ratings = f"({drawn.rating:.0f} v {seeker.rating:.0f})"
    if any_rating:
        rating = f"regardless of rating {ratings}"
    elif gap <= CLOSE_ELO:
        rating = f"for a close rating {ratings}"
    else:
        rating = f"from further away {ratings}"
    times = {0: "they had not met", 1: "they had met once"}.get(met, f"they had met {met} times")
    return f"{drawn.name} was drawn {rating}; {times}"
