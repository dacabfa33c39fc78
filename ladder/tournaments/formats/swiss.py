"""Swiss: a fixed number of rounds against opponents on like scores."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

import networkx as nx

from ladder.tournaments.format import Event, Format, FormatPreview, Option, Row, Table, WallChart
from ladder.tournaments.standings import Column, EntrantResults, rank

Edges = dict[tuple[int, int], int]  # pairs of seeds, the higher placed first, and their costs

BYE = 0
# Up to this many players the pairing is the exact optimum. Above it only each player's cheapest
# edges inside and outside the own score group are offered to the matching, whose time grows with
# the cube of the players.
EXACT_PLAYERS = 64
OFFERED_EDGES = 12

# Widths in bits that keep the sums of one criterion from reaching the next one.
HASH_BITS, FOLD_BITS, FLOAT_BITS, GAP_BITS, REMATCH_BITS = 80, 48, 32, 48, 32


class Swiss(Format):
    """Everyone plays every round, against somebody on a like score not met before."""

    name = "swiss"
    title = "Swiss"
    description = (
        "A fixed number of rounds, each against an opponent on a like score not met before. "
        "Ties are broken by Buchholz cut-1, Buchholz, Sonneborn-Berger, wins and seed."
    )
    options = (
        Option(
            "rounds",
            0,
            0,
            30,
            "rounds to play",
            zero_means="as many as needed for one winner",
        ),
    )

    def sheet(self, event: Event) -> WallChart:
        return WallChart()

    def tables_due(self, event: Event) -> list[Table]:
        for number in range(1, self.rounds(event.entrants, event.options) + 1):
            due = _round_due(event, number)
            if due:
                return due
        return []

    def standings(self, event: Event) -> list[Row]:
        results = EntrantResults(event.seeds, event.finished)
        columns = [
            Column("points", results.points),
            Column("Buchholz cut-1", results.buchholz(cut=1)),
            Column("Buchholz", results.buchholz()),
            Column("Sonneborn-Berger", results.sonneborn_berger()),
            Column("wins", results.wins),
        ]
        return rank(columns, results.points, event.withdrawn)

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        rounds = self.rounds(entrants, options)
        note = "one bye a round, worth a point" if entrants % 2 else "no byes"
        return FormatPreview(rounds, rounds * (entrants // 2), note)

    def rounds(self, entrants: int, options: Mapping[str, int] | None) -> int:
        """The rounds chosen, or the knockout's ceil(log2 N)."""
        return self.option(options, "rounds") or max(1, (entrants - 1).bit_length())


@dataclass(frozen=True, slots=True)
class Player:
    """Where one player stands before a round."""

    seed: int
    halves: int  # half-points
    position: int  # among all, from 0
    group_position: int  # among those on the same score, from 0
    group_size: int
    floated: int = 0  # in the last round: -1 to a lower score group or a bye, 1 to a higher one


def floats(event: Event, number: int) -> dict[int, int]:
    """Which way each one left its score group in the round before this one."""
    earlier = [one for one in event.finished if one.table.round < number - 1]
    points = EntrantResults(event.seeds, earlier).points
    found: dict[int, int] = {}
    for table in (one.table for one in event.finished if one.table.round == number - 1):
        if table.is_bye:
            found[table.entrants[0]] = -1
            continue
        a, b = table.entrants
        way = (points[a] < points[b]) - (points[a] > points[b])
        found[a], found[b] = way, -way
    return found


def line_up(
    seeds: list[int], results: EntrantResults, floated: Mapping[int, int] | None = None
) -> list[Player]:
    """The players of a round by score, then seed."""
    halves = {seed: int(2 * results.points[seed]) for seed in seeds}
    order = sorted(seeds, key=lambda seed: (-halves[seed], seed))
    groups: dict[int, list[int]] = {}
    for seed in order:
        groups.setdefault(halves[seed], []).append(seed)
    return [
        Player(
            seed,
            halves[seed],
            i,
            groups[halves[seed]].index(seed),
            len(groups[halves[seed]]),
            (floated or {}).get(seed, 0),
        )
        for i, seed in enumerate(order)
    ]


def fold(upper: Player, lower: Player) -> int:
    """How far a pair is from top half against bottom half, or bottom of one group against top."""
    x, y = upper.group_position, lower.group_position
    if upper.halves != lower.halves:
        return (upper.group_size - 1 - x) ** 2 + y**2
    half = upper.group_size // 2
    return (y - x - half) ** 2 + (not x < half <= y)


def pair_cost(event_key: str, number: int, upper: Player, lower: Player, met: int) -> int:
    """Rematches, score gap, repeated floats, fold, then a hash, as one number to be added up."""
    gap = (upper.halves - lower.halves) ** 2
    again = (upper.floated == -1) + (lower.floated == 1) if gap else 0
    text = f"{event_key}:{number}:{upper.seed}:{lower.seed}"
    return _cost(0, met, gap, again, fold(upper, lower), text)


def bye_cost(event_key: str, number: int, player: Player, players: int, byes: int) -> int:
    """Repeated byes, then a high score, a repeated float, a high position, then a hash."""
    gap = 2 * (player.halves + 1) ** 2
    below = (players - 1 - player.position) ** 2
    again = int(player.floated == -1)
    return _cost(byes, 0, gap, again, below, f"{event_key}:{number}:{player.seed}:bye")


def _cost(byes: int, met: int, gap: int, again: int, folded: int, text: str) -> int:
    total = byes
    widths = (REMATCH_BITS, GAP_BITS, FLOAT_BITS, FOLD_BITS)
    for bits, part in zip(widths, (met, gap, again, folded), strict=True):
        total = (total << bits) + part
    return (total << HASH_BITS) + int.from_bytes(sha256(text.encode()).digest()[:8], "big")


def _round_due(event: Event, number: int) -> list[Table]:
    """Tables of one round that are not finished; nobody seated already is paired again."""
    finished = [one.table for one in event.finished if one.table.round == number]
    seated = [one for one in event.seated if one.round == number]
    taken = {seed for table in (*finished, *seated) for seed in table.entrants}
    waiting = [seed for seed in event.active if seed not in taken]
    due = [event.without_withdrawn(table) for table in seated]
    due = [table for table in due if table.entrants]
    if waiting:
        earlier = [one for one in event.finished if one.table.round < number]
        results = EntrantResults(event.seeds, earlier)
        players = line_up(sorted(taken.union(event.active)), results, floats(event, number))
        pairs = _pairs(event.key, number, players, set(waiting), results)
        due += _numbered(number, players, pairs, [*finished, *seated])
    return sorted(due, key=lambda table: table.number)


def _pairs(
    key: str, number: int, players: list[Player], waiting: set[int], results: EntrantResults
) -> list[tuple[int, ...]]:
    """The cheapest pairing of the waiting players, a bye being a table of one."""
    free = [one for one in players if one.seed in waiting]
    edges = {
        (upper.seed, lower.seed): pair_cost(
            key, number, upper, lower, results.meetings(upper.seed, lower.seed)
        )
        for i, upper in enumerate(free)
        for lower in free[i + 1 :]
    }
    if len(free) % 2:
        for one in free:
            byes = results.byes[one.seed]
            edges[one.seed, BYE] = bye_cost(key, number, one, len(players), byes)
    return [
        tuple(seed for seed in pair if seed != BYE)
        for pair in cheapest_matching(edges, {one.seed: one.halves for one in free})
    ]


def cheapest_matching(edges: Edges, halves: Mapping[int, int]) -> list[tuple[int, int]]:
    """The perfect matching with the smallest total cost, each pair as its edge names it."""
    is_large = len(halves) > EXACT_PLAYERS
    matched = _matching(_cheapest_edges(edges, halves) if is_large else edges)
    if 2 * len(matched) < len(halves):  # too few edges were offered
        matched = _matching(edges)
    return [(a, b) if (a, b) in edges else (b, a) for a, b in matched]


def _matching(edges: Edges) -> set[tuple[int, int]]:
    graph: nx.Graph = nx.Graph()
    graph.add_weighted_edges_from((a, b, cost) for (a, b), cost in edges.items())
    found: set[tuple[int, int]] = nx.min_weight_matching(graph)
    return found


def _cheapest_edges(edges: Edges, halves: Mapping[int, int]) -> Edges:
    """Each player's cheapest edges, as many inside as outside the score group."""
    offered_to: Counter[tuple[int, bool]] = Counter()
    offered = {}
    for pair in sorted(edges, key=edges.__getitem__):
        is_inside = halves.get(pair[0]) == halves.get(pair[1])
        if min(offered_to[seed, is_inside] for seed in pair) < OFFERED_EDGES:
            offered[pair] = edges[pair]
            offered_to.update((seed, is_inside) for seed in pair)
    return offered


def _numbered(
    number: int, players: list[Player], pairs: list[tuple[int, ...]], stored: list[Table]
) -> list[Table]:
    """Number the new tables from the top board down, around those already stored."""
    position = {one.seed: one.position for one in players}

    def board(seeds: tuple[int, ...]) -> tuple[bool, int]:
        return len(seeds) == 1, min(position[seed] for seed in seeds)

    boards = sorted([*pairs, *(one.entrants for one in stored)], key=board)
    used = {one.number for one in stored}
    tables = []
    for seeds in boards:
        if seeds in pairs:
            place = boards.index(seeds) + 1
            while place in used:
                place += 1
            used.add(place)
            tables.append(Table(number, place, f"R{number}-{place}", seeds))
    return tables
