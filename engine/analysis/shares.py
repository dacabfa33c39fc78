"""The share of the opponents that a seat beats, ties half: what all values here are.

Sampled shares are floats from 0 to 1. Stored values are whole numbers in hundredths of a point,
where beating everyone is 100 points: whole numbers add up exactly.
"""

from __future__ import annotations

from collections.abc import Sequence

Shares = tuple[float, ...]  # by seat
Points = tuple[int, ...]  # by seat, in hundredths of a point
WHOLE = 10_000
EVEN = WHOLE // 2  # what everyone may expect before anything is known, the seat included


def shares_of(places: Sequence[int], sides: Sequence[int]) -> Shares:
    """What each seat got, by the places; partners are no opponents."""
    found = []
    for seat, place in enumerate(places):
        halves = met = 0
        for other, theirs in enumerate(places):
            if sides[other] != sides[seat]:
                halves += 2 * (place < theirs) + (place == theirs)
                met += 1
        found.append(halves / (2 * met))
    return tuple(found)


def rounded(shares: Sequence[float], total: int) -> Points:
    """The shares in hundredths of a point, adding up to `total` exactly."""
    scaled = [share * WHOLE for share in shares]
    points = [int(value // 1) for value in scaled]
    missing = total - sum(points)
    by_rest = sorted(range(len(points)), key=lambda seat: (points[seat] - scaled[seat], seat))
    for at in range(abs(missing)):
        seat = by_rest[at % len(points)] if missing > 0 else by_rest[-1 - at % len(points)]
        points[seat] += 1 if missing > 0 else -1
    return tuple(points)


def minus(these: Points, those: Points) -> Points:
    return tuple(a - b for a, b in zip(these, those, strict=True))
