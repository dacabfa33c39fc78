"""How often the shown interval holds the truth, and how well the shown order follows it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tests.calibration.board import Draw, SimulatedBoard, alike, independent, opposed

BOTS = 25
HOUSE = (1400.0, 1000.0, 1750.0)
CHECKS = (10, 30, 70, 200)
TAU_CHECKS = (3, 6, 12, 25, 50)

LUCK = {"independent": independent, "alike": alike, "opposed": opposed}
# name, seats, sd of the field, luck, special bots beside the field
FIELDS: list[tuple[str, int, float, str]] = [
    ("2 seats, sd 200", 2, 200, "independent"),
    ("2 seats, sd 400", 2, 400, "independent"),
    ("4 seats, sd 200", 4, 200, "independent"),
    ("4 seats, sd 400", 4, 400, "independent"),
    ("2 seats, rounds alike", 2, 200, "alike"),
    ("4 seats, rounds alike", 4, 200, "alike"),
    ("2 seats, rounds opposed", 2, 200, "opposed"),
    ("4 seats, rounds opposed", 4, 200, "opposed"),
]
Counts = dict[tuple[int, str], list[float]]  # by sets and whom: the share covered on each board


def run(
    seats: int, sd: float, luck: Draw, seed: int, checks: tuple[int, ...]
) -> Iterator[tuple[int, dict[str, list[bool]], float]]:
    """One board followed through the checks: who is covered, and tau."""
    board = SimulatedBoard(seats, seed, luck)
    board.seat_house(*HOUSE)
    field = [board.add(1500 + board.rng.normal(0, sd)).key for _ in range(BOTS)]
    board.players[0].program = "anchor"
    special = {"copy of an anchor": board.add(HOUSE[0], program="anchor").key}
    order = sorted(field, key=lambda key: board.players[key].strength)
    for sets in checks:
        board.play_until(sets)
        covered = {
            key: one.low <= board.players[key].strength <= one.high
            for key, one in board.rated.items()
        }
        found = {"all": [covered[key] for key in field], "best": [covered[order[-1]]]}
        found["worst"] = [covered[order[0]]]
        found["best and worst"] = found["best"] + found["worst"]
        found |= {name: [covered[key]] for name, key in special.items()}
        yield sets, found, tau(board, field)


def tau(board: SimulatedBoard, keys: list[int]) -> float:
    """Kendall's tau of the shown order with the true one."""
    agree = [
        np.sign(board.rated[a].value - board.rated[b].value)
        * np.sign(board.players[a].strength - board.players[b].strength)
        for a, b in combinations(keys, 2)
    ]
    return float(np.mean(agree))


def far_above(seats: int, strength: float, seed: int) -> Iterator[tuple[int, bool]]:
    """A bot far above all others."""
    board = SimulatedBoard(seats, seed)
    board.seat_house(*HOUSE)
    for _ in range(BOTS):
        board.add(1500 + board.rng.normal(0, 200))
    star = board.add(strength)
    for sets in CHECKS[:3]:
        board.play_until(sets)
        one = board.rated[star.key]
        yield sets, one.low <= strength <= one.high


def grown(seats: int, jump: float, seed: int) -> Iterator[tuple[int, bool]]:
    """New versions, better than their parents by so much, which leave the ladder to them."""
    board = SimulatedBoard(seats, seed)
    board.seat_house(*HOUSE)
    parents = [board.add(1500 + board.rng.normal(0, 200)) for _ in range(BOTS)][:5]
    board.play_until(40)
    for parent in parents:
        board.retire(parent)
    children = [board.add(one.strength + jump, parent=one.key) for one in parents]
    for sets in (10, 40):
        board.play_until(sets)
        for one in children:
            rated = board.rated[one.key]
            yield sets, rated.low <= one.strength <= rated.high


def measure(runs: int) -> dict[str, Counts]:
    """Every field of the table."""
    table: dict[str, Counts] = {name: defaultdict(list) for name, *_ in FIELDS}
    for seed in range(runs):
        add_boards(table, seed)
    return table


def add_boards(table: dict[str, Counts], seed: int) -> None:
    """One board of every field; only every second is followed to its last check."""
    checks = CHECKS[:-1] if seed % 2 else CHECKS
    for number, (name, seats, sd, luck) in enumerate(FIELDS):
        for sets, found, _ in run(seats, sd, LUCK[luck], 10_000 * number + seed, checks):
            for who, hits in found.items():
                table[name][sets, who].append(float(np.mean(hits)))
