"""Plays sets of the house bots among themselves, for the anchors of the ladders.

Bots far apart say little about each other: one that wins nearly always is "far above", nobody
knows how far. So between random and greedy, and between greedy and the strong bot, stand mixed
bots that take each decision from one of the two by lot. Where house bots are near enough they are
measured against each other: steps by way of mixed bots need not add up to the same.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from engine import wire
from engine.arena import Entry, copies, play_set, side_count
from engine.game import Game, Result
from engine.local import ScriptPlayer
from engine.match import Answer, Fault, Player, Question

FIXED = "greedy"
DEAR_SHARE = 0.7  # of the time, for tables with a bot that searches
SOLO_SEEDS = 2
DIRECT_SHARE = 0.5  # of the pairs, for house bots among themselves

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


def field(game: Game, sides: int) -> list[Kind]:
    """The house bots of a game with the mixed ones between them, the weakest first.

    The strong bot is dear: where more than two meet, one mixed bot below it has to do.
    """
    names = list(game.house_bots())
    others = [name for name in names if name not in ("random", FIXED)]
    plain = [name for name in others if game.house_bots()[name].suffix == ".js"]
    (strong,) = [name for name in others if name not in plain]
    mixed = [Kind(f"random+{n}/4 greedy", "random", FIXED, n / 4) for n in (1, 2, 3)]
    steps = (1, 2, 3) if sides <= 2 else (2,)
    return [
        Kind("random", "random"),
        *mixed,
        *(Kind(name, name) for name in plain),
        Kind(FIXED, FIXED),
        *(Kind(f"greedy+{n}/4 {strong}", FIXED, strong, n / 4, is_dear=True) for n in steps),
        Kind(strong, strong, is_dear=True),
    ]


def tables(kinds: list[Kind], sides: int, rng: Random, *, dear: bool) -> list[Kind]:
    """Two neighbours, of all kinds or of the house bots alone; more as they come."""
    cheap = [kind for kind in kinds if not kind.is_dear]
    pool = kinds if dear or sides > len(cheap) else cheap
    if sides == 1:
        return pool
    while True:
        if sides == 2:
            is_direct = rng.random() < DIRECT_SHARE
            line = [kind for kind in pool if not (is_direct and kind.second)]
            low = rng.randrange(len(line) - 1)
            table = line[low : low + 2]
        else:
            table = rng.sample(pool, sides)
        if not dear or any(kind.is_dear for kind in table):
            return table


def play(game: Game, seats: int, seconds: float, seed: int = 0) -> Iterator[dict[str, Any]]:
    """Sets on consecutive seeds for so many seconds of CPU: who played, and each round's places."""
    rng = Random(f"{game.slug}/{seats}/{seed}")
    sides = side_count(game, seats)
    kinds = field(game, sides)
    spent = {True: 0.0, False: 0.0}
    number = seed * 1_000_000
    while sum(spent.values()) < seconds:
        dear = spent[True] <= DEAR_SHARE * sum(spent.values())
        table = tables(kinds, sides, rng, dear=dear)
        began = time.process_time()
        number += 1
        if sides == 1:
            rounds = []
            for extra in range(SOLO_SEEDS):
                plays = _set(game, seats, table, number * SOLO_SEEDS + extra, rng)
                points = [play.played.replay.result.points[0] for play in plays]
                rounds.append([sum(other > own for other in points) + 1 for own in points])
        else:
            rounds = []
            for one in _set(game, seats, table, number, rng):
                by_entry = dict(zip(one.seating, one.played.replay.result.places, strict=True))
                rounds.append([by_entry[entry] for entry in range(sides)])
        spent[dear] += time.process_time() - began
        yield {"bots": [kind.name for kind in table], "places": rounds}


def _set(game: Game, seats: int, table: list[Kind], seed: int, rng: Random) -> list[Any]:
    entries = [
        Entry([kind.player(game, rng) for _ in range(copies(game, seats))]) for kind in table
    ]
    plays = list(play_set(game, seats, entries, seed=seed))
    for one in plays:
        if one.played.faults:
            raise RuntimeError(f"a house bot is at fault: {one.played.faults}")
    return plays
