"""The scheduler's rule before this one, for comparison: newest first, one newcomer a table.

Three of four tables of a tick are for the latest arrival without a rank, the fourth for the lowest
games / weight. The board with the latest arrival comes first, but one time in four that with the
longest wait.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ladder.ratings.matchmaking import (
    ANY_RATING_SHARE,
    PLAIN_WEIGHT,
    SOLO_TABLE,
    TICK_TABLES,
    TOP_WEIGHT,
    Candidate,
    Meetings,
    Seating,
    opponent_weight,
)
from tests.calibration.board import SimulatedBoard

NEW_WEIGHT = 4
PATIENT_SHARE = 0.25


class OldRule:
    """Who plays next, as it was."""

    def __init__(self, seed: int) -> None:
        self.lots = Random(seed)

    def need(self, board: SimulatedBoard) -> tuple[float, ...] | None:
        players = _players(board)
        # Effective games: what one set counts depends on the number of sides.
        sides = board.seats if board.seats > 1 else SOLO_TABLE
        worth = board.seats * 3 * (sides - 1) / (sides + 1)
        wait = min(_waited(one) for one in players) * worth
        new = [board.arrived.get(one.id, 0.0) for one in players if not one.is_ranked]
        patient = self.lots.random() < PATIENT_SHARE
        return (0.0 if patient or not new else -(max(new) // 60), wait, self.lots.random())

    def tables(self, board: SimulatedBoard) -> list[Seating]:
        people = {one.id: replace(one, variance=0.0) for one in reversed(board.candidates())}
        players = _players(board)
        newest = max((one.id for one in players if not one.is_ranked), default=None)
        if board.seats == 1:
            line = sorted(players, key=lambda one: (one.id != newest, _waited(one)))
            house = [one for one in people.values() if one.is_house]
            return [Seating((*line[: max(2, SOLO_TABLE - len(house))], *house), "")]
        found = []
        for number in range(min(TICK_TABLES, 2 * len(players))):
            if newest is not None and number < TICK_TABLES - 1:
                seeker = people[newest]
            else:
                seeker = min((one for one in people.values() if not one.is_house), key=_waited)
            met = board.met[seeker.id]
            table = self._seat(people, seeker, met, board.seats, 1)
            # A young board may have too few known bots for one newcomer a table.
            table = table or self._seat(people, seeker, met, board.seats, board.seats)
            if table is None:
                break
            found.append(Seating(tuple(table), ""))
            for one in table:
                people[one.id] = replace(one, sets=one.sets + 1)
        return found

    def _seat(
        self,
        people: dict[int, Candidate],
        seeker: Candidate,
        met: Meetings,
        seats: int,
        newcomers: int,
    ) -> list[Candidate] | None:
        any_rating = self.lots.random() < ANY_RATING_SHARE
        seated = [seeker]
        while len(seated) < seats:
            room = newcomers > sum(_is_new(one) for one in seated)
            left = [
                one for one in people.values() if one not in seated and (room or not _is_new(one))
            ]
            if not left:
                return None
            weights = [
                opponent_weight(seeker, one, met.get(one.id, 0), any_rating=any_rating)
                for one in left
            ]
            seated.append(self.lots.choices(left, weights)[0])
        return seated


def _players(board: SimulatedBoard) -> list[Candidate]:
    """The latest arrival first."""
    return [one for one in reversed(board.candidates()) if not one.is_house]


def _is_new(one: Candidate) -> bool:
    return not one.is_ranked and not one.is_house


def _waited(one: Candidate) -> float:
    if _is_new(one):
        return one.sets / NEW_WEIGHT
    return one.sets / (TOP_WEIGHT if one.is_top else PLAIN_WEIGHT)
