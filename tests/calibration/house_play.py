"""Plays sets of the house bots among typical ones, for the anchors of the ladders.

Every pair of house bots meets directly, equally often in two halves: one is fitted, the other
checks it. Bots far apart say little about each other: one that wins nearly always is "far above",
nobody knows how far. So mixed bots, which take each decision from one of two by lot, stand for the
typical bots between them. At two seats they link neighbours; at more they fill the table.
"""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

from engine import wire
from engine.arena import Entry, copies, play_set, side_count
from engine.game import Game, Result
from engine.local import ScriptPlayer
from engine.match import Answer, Fault, Player, Question

FIXED = "greedy"
SOLO_SEEDS = 2
HALVES = ("fit", "check")
STEPS = 5  # between random and greedy stand four mixed bots

NODE = """
const source = require("fs").readFileSync(process.argv[1], "utf8");
const decide = new Function(source + "; return decide;")();
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  process.stdout.write(JSON.stringify(decide(JSON.parse(line))) + "\\n");
});
"""


@dataclass(frozen=True, slots=True)
class Kind:
    """A bot to be measured: a house bot, or two of which the second decides so often."""

    name: str
    first: str
    second: str = ""
    share: float = 0.0
    is_dear: bool = False

    def player(self, game: Game, rng: Random) -> Player:
        if not self.second:
            return house_player(game, self.first)
        both = house_player(game, self.first), house_player(game, self.second)
        return Mixed(*both, self.share, rng)


class Mixed:
    """Takes each decision from one of two players by lot."""

    def __init__(self, one: Player, other: Player, share: float, rng: Random) -> None:
        self._players, self._share, self._rng = (one, other), share, rng

    def start(self, **told: Any) -> None:
        for player in self._players:
            player.start(**told)

    def decide(self, question: Question) -> Answer | Fault:
        return self._players[self._rng.random() < self._share].decide(question)

    def end(self, result: Result) -> None:
        for player in self._players:
            player.end(result)


class NodePlayer:
    """A JavaScript house bot in one Node process of its own, without a jail."""

    def __init__(self, path: Path) -> None:
        self._process = subprocess.Popen(
            ["node", "-e", NODE, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def start(self, **told: Any) -> None: ...

    def decide(self, question: Question) -> Answer | Fault:
        view = wire.view_for_script(wire.decide(question, id="", cpu_left_ms=1000))
        pipes = self._process
        assert pipes.stdin is not None and pipes.stdout is not None
        pipes.stdin.write(json.dumps(view).encode() + b"\n")
        pipes.stdin.flush()
        return Answer(json.loads(pipes.stdout.readline()))

    def end(self, result: Result) -> None: ...


def house_player(game: Game, name: str) -> Player:
    path = game.house_bots()[name]
    return _node(path) if path.suffix == ".js" else ScriptPlayer.from_file(path)


@lru_cache
def _node(path: Path) -> NodePlayer:
    return NodePlayer(path)


def field(game: Game) -> list[Kind]:
    """The house bots of a game with the mixed ones between them, the weakest first."""
    names = list(game.house_bots())
    others = [name for name in names if name not in ("random", FIXED)]
    plain = [name for name in others if game.house_bots()[name].suffix == ".js"]
    (strong,) = [name for name in others if name not in plain]
    mixed = [Kind(f"random+{n}/{STEPS}", "random", FIXED, n / STEPS) for n in range(1, STEPS)]
    return [
        Kind("random", "random"),
        *mixed,
        *(Kind(name, name) for name in plain),
        Kind(FIXED, FIXED),
        Kind(f"greedy+1/2 {strong}", FIXED, strong, 0.5, is_dear=True),
        Kind(strong, strong, is_dear=True),
    ]


Pair = tuple[str, str]


def wanted(kinds: list[Kind], sides: int, target: int) -> dict[Pair, int]:
    """How many direct sets each pair should have in each half, by names in the field's order."""
    house = [kind.name for kind in kinds if not kind.second]
    pairs = dict.fromkeys(combinations(house, 2), target)
    if sides == 2:  # where nobody else is at the table, neighbours are linked by sets of their own
        line = [kind for kind in kinds if kind.second or kind.name in ("random", FIXED, house[-1])]
        for low, high in pairwise(line):
            if low.second or high.second:
                pairs[low.name, high.name] = target // 2
    return pairs


class Measurement:
    """The sets of one board, played until every pair has met often enough in each half."""

    def __init__(self, game: Game, seats: int, played: list[dict[str, Any]]) -> None:
        self.game, self.seats = game, seats
        self.sides = side_count(game, seats)
        self.kinds = field(game)
        self.played = len(played)
        self.met: dict[str, Counter[Pair]] = {half: Counter() for half in HALVES}
        for line in played:
            self._count(line)

    def play(self, target: int, *, dear: bool) -> Iterator[dict[str, Any]]:
        """Sets until each pair has met `target` times in each half; without `dear` the quick."""
        names = {kind.name: kind for kind in self.kinds}
        goals = {
            pair: goal
            for pair, goal in wanted(self.kinds, self.sides, target).items()
            if dear or not (names[pair[0]].is_dear or names[pair[1]].is_dear)
        }
        while True:
            half = HALVES[self.played % 2]
            open_pairs = [pair for pair, goal in goals.items() if self.met[half][pair] < goal]
            if not open_pairs:
                other = HALVES[1 - self.played % 2]
                if all(self.met[other][pair] >= goal for pair, goal in goals.items()):
                    return
                open_pairs = list(goals)
            pair = min(open_pairs, key=lambda one: self.met[half][one] / goals[one])
            seed = self.played
            rng = Random(f"{self.game.slug}/{self.seats}/{seed}")
            table = self._table([names[name] for name in pair], rng)
            line = {"half": half, **self._result(table, seed, rng)}
            self.played += 1
            self._count(line)
            yield line

    def _table(self, pair: list[Kind], rng: Random) -> list[Kind]:
        """The pair, and others: anyone, but nobody dear for the sake of a quick pair."""
        if self.sides == 1:
            return self.kinds
        is_dear = any(kind.is_dear for kind in pair)
        cheap = [kind for kind in self.kinds if not kind.is_dear]
        pool = self.kinds if is_dear or len(cheap) < self.sides else cheap
        others = [kind for kind in pool if kind not in pair]
        return rng.sample([*pair, *rng.sample(others, self.sides - 2)], self.sides)

    def _result(self, table: list[Kind], seed: int, rng: Random) -> dict[str, Any]:
        seats, game = self.seats, self.game
        rounds = []
        if self.sides == 1:
            for extra in range(SOLO_SEEDS):
                plays = _set(game, seats, table, seed * SOLO_SEEDS + extra, rng)
                points = [play.played.replay.result.points[0] for play in plays]
                rounds.append([sum(other > own for other in points) + 1 for own in points])
        else:
            for one in _set(game, seats, table, seed, rng):
                by_entry = dict(zip(one.seating, one.played.replay.result.places, strict=True))
                rounds.append([by_entry[entry] for entry in range(self.sides)])
        return {"bots": [kind.name for kind in table], "places": rounds}

    def _count(self, line: dict[str, Any]) -> None:
        order = [kind.name for kind in self.kinds if kind.name in line["bots"]]
        self.met[line["half"]].update(combinations(order, 2))


def _set(game: Game, seats: int, table: list[Kind], seed: int, rng: Random) -> list[Any]:
    entries = [
        Entry([kind.player(game, rng) for _ in range(copies(game, seats))]) for kind in table
    ]
    plays = list(play_set(game, seats, entries, seed=seed))
    for one in plays:
        if one.played.faults:
            raise RuntimeError(f"a house bot is at fault: {one.played.faults}")
    return plays
