"""Pods: tables of several players, re-seated each round by points."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, product

from ladder.tournaments.format import (
    MOST_AT_TABLE,
    Event,
    Format,
    FormatPreview,
    Option,
    Row,
    Table,
)
from ladder.tournaments.standings import Column, EntrantResults, rank

REMATCH_COST = 4
FEWEST = 3  # players at a table


class Pods(Format):
    """Everyone plays every round in a pod of about the same size."""

    name = "pods"
    title = "Pods"
    description = (
        "Tables of several players. A player scores the share of the pod it beats, and each "
        "round seats players of like points together who have not met. Equal points are split "
        "by the opponents' points, pods won and seed. No pod has fewer than three: where the "
        "numbers leave somebody over, the lowest without a bye has one."
    )
    options = (
        Option("size", 4, 3, MOST_AT_TABLE, "players in a pod, give or take one"),
        Option(
            "largest",
            0,
            0,
            MOST_AT_TABLE,
            "most players the game can seat",
            zero_means="one above the size",
            is_shown=False,
        ),
        Option(
            "smallest",
            0,
            0,
            MOST_AT_TABLE,
            "fewest players the game can seat",
            zero_means="three",
            is_shown=False,
        ),
        Option("rounds", 3, 1, 20, "rounds to play"),
    )
    seat_counts = range(3, MOST_AT_TABLE + 1)
    fewest_entrants = FEWEST

    def given(self, *, sides: int, sizes: range, sets: int) -> dict[str, int]:
        if sides < 3:
            return {"largest": 0, "smallest": 0}
        return {"largest": sizes[-1], "smallest": sizes[0], "size": sides}

    def tables_due(self, event: Event) -> list[Table]:
        for number in range(1, self.option(event.options, "rounds") + 1):
            due = self._round_due(event, number)
            if due:
                return due
        return []

    def standings(self, event: Event) -> list[Row]:
        results = EntrantResults(event.seeds, event.finished)
        columns = [
            Column("points", results.points),
            Column("opponents' points", results.buchholz()),
            Column("pods won", results.wins),
        ]
        return rank(columns, results.points, event.withdrawn)

    def preview(self, entrants: int, options: Mapping[str, int] | None = None) -> FormatPreview:
        sizes = self._sizes(entrants, options)
        rounds = self.option(options, "rounds")
        over = entrants - sum(sizes)
        byes = f"; {over} {'has a bye' if over == 1 else 'have byes'} each round" if over else ""
        note = f"pods of {', '.join(map(str, sizes))}{byes}"
        return FormatPreview(rounds, rounds * len(sizes), note)

    def _sizes(self, entrants: int, options: Mapping[str, int] | None) -> list[int]:
        size = self.option(options, "size")
        largest = self.option(options, "largest") or size + 1
        return pod_sizes(entrants, size, largest, self.option(options, "smallest"))

    def _round_due(self, event: Event, number: int) -> list[Table]:
        finished = [one.table for one in event.finished if one.table.round == number]
        seated = [one for one in event.seated if one.round == number]
        taken = {seed for table in (*finished, *seated) for seed in table.entrants}
        fewest = self.option(event.options, "smallest")
        due = [event.without_withdrawn(table, fewest) for table in seated]
        due = [table for table in due if table.entrants]
        if not taken.issuperset(event.active):
            # The draw is made again as it was; what is stored of it already is left out.
            earlier = [one for one in event.finished if one.table.round < number]
            results = EntrantResults(event.seeds, earlier)
            present = sorted(taken.union(event.active), key=lambda s: (-results.points[s], s))
            sizes = self._sizes(len(present), event.options)
            lowest = sorted(reversed(present), key=lambda seed: results.byes[seed])
            resting = lowest[: len(present) - sum(sizes)]
            playing = [seed for seed in present if seed not in resting]
            pods = snake(playing, sizes) if number == 1 else top_down(playing, sizes, results)
            due += [
                Table(number, place, f"R{number}-{place}", tuple(pod))
                for place, pod in enumerate([*pods, *([seed] for seed in resting)], 1)
                if not taken.intersection(pod)
            ]
        return sorted(due, key=lambda table: table.number)


def pod_sizes(entrants: int, size: int, largest: int | None = None, smallest: int = 0) -> list[int]:
    """Sizes that differ by at most one: as many pods as are needed to exceed `size` nowhere.

    If that would make pods of less than size - 1 or of two, one pod fewer is made, provided that
    none grows beyond `largest` (one above the size by default). If it must, somebody is left
    over instead: no pod has fewer than three, unless there are not even three, nor fewer than
    `smallest`, unless nobody is seated at all.
    """
    largest = size + 1 if largest is None else largest
    if smallest >= FEWEST:
        return _sizes_within(entrants, size, range(smallest, largest + 1))
    pods = -(-entrants // size)
    least = max(size - 1, FEWEST)
    if pods > 1 and entrants // pods < least and -(-entrants // (pods - 1)) <= largest:
        pods -= 1
    small, over = divmod(entrants, pods)
    if pods > 1 and small < FEWEST:
        return pod_sizes(entrants - 1, size, largest)
    return [small + 1] * over + [small] * (pods - over)


def _sizes_within(entrants: int, size: int, sizes: range) -> list[int]:
    """As many seated as can be, at as many pods as are needed to exceed `size` nowhere."""
    pods = min(-(-entrants // size), entrants // sizes[0])
    if not pods:
        return []
    small, over = divmod(min(entrants, pods * sizes[-1]), pods)
    return [small + 1] * over + [small] * (pods - over)


def group_sizes(entrants: int, size: int, largest: int) -> list[int]:
    """Sizes of groups that hold everybody, so that a group of two may remain."""
    sizes = pod_sizes(entrants, size, largest)
    if sum(sizes) == entrants:
        return sizes
    small, over = divmod(entrants, len(sizes) + 1)
    return [small + 1] * over + [small] * (len(sizes) + 1 - over)


def snake(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Deal the players to the pods to and fro, passing over full ones."""
    pods: list[list[int]] = [[] for _ in sizes]
    waiting = list(order)
    lap = list(range(len(sizes)))
    while waiting:
        for i in lap:
            if waiting and len(pods[i]) < sizes[i]:
                pods[i].append(waiting.pop(0))
        lap.reverse()
    return pods


def top_down(
    order: Sequence[int], sizes: Sequence[int], results: EntrantResults
) -> list[list[int]]:
    """Fill the pods from the top, then swap between neighbouring pods while it lowers the cost."""
    waiting = iter(order)
    pods = [[next(waiting) for _ in range(size)] for size in sizes]
    improved = True
    while improved:
        improved = False
        for upper, lower in pairwise(pods):
            for i, j in product(range(len(upper)), range(len(lower))):
                if _swap_gain(upper, lower, i, j, results) > 0:
                    upper[i], lower[j] = lower[j], upper[i]
                    improved = True
    place = {seed: i for i, seed in enumerate(order)}
    return [sorted(pod, key=place.__getitem__) for pod in pods]


def _pair_cost(a: int, b: int, results: EntrantResults) -> Fraction:
    return REMATCH_COST * results.meetings(a, b) + (results.points[a] - results.points[b]) ** 2


def _swap_gain(
    upper: Sequence[int], lower: Sequence[int], i: int, j: int, results: EntrantResults
) -> Fraction:
    """How much the cost falls when the two change places."""
    a, b = upper[i], lower[j]
    gain = Fraction(0)
    for other in upper:
        if other != a:
            gain += _pair_cost(a, other, results) - _pair_cost(b, other, results)
    for other in lower:
        if other != b:
            gain += _pair_cost(b, other, results) - _pair_cost(a, other, results)
    return gain
