"""Who won, by how much, and what a solo score is worth."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Result

# The lowest score of each solo rating, best first.
STARS = (
    (62, "5 stars"),
    (60, "4½ stars"),
    (58, "4 stars"),
    (56, "3½ stars"),
    (53, "3 stars"),
    (48, "2½ stars"),
    (44, "2 stars"),
    (38, "1 star"),
    (0, "no star"),
)


def stars(points: int) -> str:
    """The solo rating of a score."""
    return next(rating for lowest, rating in STARS if points >= lowest)


def result(
    sides: Sequence[int], points: Sequence[int], served: Sequence[tuple[int, int, Sequence[int]]]
) -> Result:
    """Most points; then most bowls served; then fewest cards in them; then a shared victory."""
    if len(sides) == 1:
        return Result((1,), (points[0],), f"served alone: {stars(points[0])}")
    bowls = [0] * len(points)
    cards = [0] * len(points)
    for side, _, packet in served:
        bowls[side] += 1
        cards[side] += len(packet)
    standing = list(zip(points, bowls, (-count for count in cards), strict=True))
    places = tuple(1 + sum(standing[other] > standing[side] for other in sides) for side in sides)
    return Result(places, tuple(points[side] for side in sides), _reason(standing))


def _reason(standing: Sequence[tuple[int, int, int]]) -> str:
    first, second = sorted(standing, reverse=True)[:2]
    if first[0] != second[0]:
        return "most points"
    if first[1] != second[1]:
        return "level on points, more bowls served"
    if first[2] != second[2]:
        return "level on points and bowls, fewer cards used"
    return "level in everything, a shared victory"
