"""The plays that CPython and a tab's Python must agree on, to the last digit."""

import json
from time import perf_counter

from engine.games import GAMES
from engine.local import ScriptPlayer
from engine.match import play


def digests(count: int) -> str:
    """JSON: of each board, the digests of its first plays. Greedy bots, for they read no clock."""
    found = {}
    for slug, game in GAMES.items():
        bot = game.house_bots()["greedy"]
        for seats in game.seats:
            table = [ScriptPlayer.from_file(bot) for _ in range(seats)]
            found[f"{slug} {seats}"] = [
                play(game, table, seed=seed).replay.digest() for seed in range(count)
            ]
    return json.dumps(found)


def pace(seconds: float) -> str:
    """JSON: decisions a second of greedy bots at two seats, by game."""
    found = {}
    for slug, game in GAMES.items():
        table = [ScriptPlayer.from_file(game.house_bots()["greedy"]) for _ in range(2)]
        decisions, seed, began = 0, 0, perf_counter()
        while (spent := perf_counter() - began) < seconds:
            decisions += len(play(game, table, seed=seed).replay.cpu_us)
            seed += 1
        found[slug] = decisions / spent
    return json.dumps(found)
