"""A first stock of puzzles per game, from plays of house bots: `make puzzles` writes it.

It lies in the game's folder as `puzzles.json.gz`, so that no site begins without puzzles. A search
goes on after the play of the last puzzle in it, and each puzzle is written when it is found.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import product

from engine.analysis.analyst import Trust, analyst_for
from engine.analysis.run import analyse, budget
from engine.game import Game
from engine.games import GAMES
from engine.local import ScriptPlayer
from engine.match import play
from engine.replay import Replay, canonical, read
from engine.studies.puzzles import Grade, Puzzle, find, promising

NAME = "puzzles.json.gz"
WANTED, PER_PLAY, MOST_PLAYS = 32, 2, 1500
FIRST_SEED = 90_000


@dataclass(frozen=True, slots=True)
class Stocked:
    """A puzzle with the position that it is about."""

    position: Replay
    puzzle: Puzzle


def stock_of(game: Game) -> list[Stocked]:
    """What the game's folder has; nothing for a game without a stock."""
    path = game.folder / NAME
    if not path.exists():
        return []
    return [_read(row) for row in json.loads(gzip.decompress(path.read_bytes()))]


def _read(row: dict[str, object]) -> Stocked:
    puzzle = row["puzzle"]
    assert isinstance(puzzle, dict)
    grades = tuple(Grade(**grade) for grade in puzzle.pop("grades"))
    return Stocked(read(canonical(row["position"])), Puzzle(grades=grades, **puzzle))


def search(game: Game, first_seed: int) -> Iterator[Stocked]:
    """Puzzles in plays of the house bots, two seats, seed after seed."""
    bots = [path for path in game.house_bots().values() if path.suffix == ".py"]
    analyst = analyst_for(game)
    pairs = [pair for pair in product(bots, bots) if pair[0] != pair[1]]
    for seed in range(first_seed, first_seed + MOST_PLAYS):
        table = [ScriptPlayer.from_file(path) for path in pairs[seed % len(pairs)]]
        replay = play(game, table, seed=seed).replay
        per_play = 0
        for puzzle in find(replay, promising(analyse(replay, budget(analyst, "quick")))):
            if puzzle is not None and per_play < PER_PLAY:
                per_play += 1
                yield Stocked(replay.cut(puzzle.before), puzzle)
            if per_play == PER_PLAY:
                break


def main() -> None:
    for slug in sys.argv[1:] or GAMES:
        game = GAMES[slug]
        if analyst_for(game).trust is not Trust.VALIDATED:
            continue
        stock = stock_of(game)
        seeds = [seed for found in stock if (seed := found.position.seed) is not None]
        for found in search(game, max(seeds, default=FIRST_SEED - 1) + 1):
            if len(stock) >= WANTED:
                break
            stock.append(found)
            (game.folder / NAME).write_bytes(written(stock))
            sys.stdout.write(f"{slug}: {len(stock)} of {WANTED}, {found.puzzle.kind}\n")
            sys.stdout.flush()


def written(stock: list[Stocked]) -> bytes:
    rows = [{"position": one.position.to_json(), "puzzle": asdict(one.puzzle)} for one in stock]
    return gzip.compress(canonical(rows), mtime=0)


if __name__ == "__main__":
    main()
