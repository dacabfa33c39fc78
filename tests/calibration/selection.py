"""What it gains to try many versions and keep the luckiest."""

from __future__ import annotations

from dataclasses import dataclass

from tests.calibration.board import Player, SimulatedBoard
from tests.calibration.coverage import HOUSE

STRENGTH = 1600.0
OWNER = -1


@dataclass(frozen=True, slots=True)
class Picked:
    """The version an owner kept: what is shown of it, and what is true."""

    gain: float  # Elo above the truth
    is_covered: bool
    place: int
    true_place: int
    best_place: int  # the best place that the interval allows
    sets: int


def best_of(
    versions: int, seats: int, seed: int, *, spread: float = 0.0, corrects: bool = True
) -> Picked:
    """Try versions of a bot one after the other, each until it is ranked; keep the best-looking.

    With `spread` they differ truly. Without `corrects` it is as before: no correction, no re-test.
    """
    board = SimulatedBoard(seats, seed)
    if not corrects:
        board.without_luck = lambda rated, key, family: rated[key]
    board.seat_house(*HOUSE)
    field = [board.add(1500 + board.rng.normal(0, 200)) for _ in range(24)]
    board.play_until(30)
    tried: list[Player] = []
    for _ in range(versions):
        for one in tried:
            board.retire(one)
        parent = tried[-1].key if tried else None
        strength = STRENGTH + board.rng.normal(0, spread)
        tried.append(board.add(strength, owner=OWNER, parent=parent))
        _play_until_ranked(board, tried[-1])
    kept = max(tried, key=lambda one: board.fit.rated[one.key].value)
    if kept is not tried[-1]:
        board.retire(tried[-1])
        if corrects:
            board.bring_back(kept)
            _play_until_ranked(board, kept)
        else:
            kept.is_listed = True
    board.rate()
    shown = board.rated[kept.key]
    others = [(board.rated[one.key].value, one.strength) for one in field]
    return Picked(
        gain=shown.value - kept.strength,
        is_covered=shown.low <= kept.strength <= shown.high,
        place=1 + sum(value > shown.value for value, _ in others),
        true_place=1 + sum(strength > kept.strength for _, strength in others),
        best_place=1 + sum(value > shown.high for value, _ in others),
        sets=board.sets[kept.key],
    )


def _play_until_ranked(board: SimulatedBoard, player: Player) -> None:
    for _ in range(200):
        board.play(board.tables(settling=True))
        board.rate()
        if player.key in board.ranked:
            return
