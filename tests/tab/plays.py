"""The plays that CPython and a tab's Python must agree on, to the last digit."""

import json
from hashlib import sha256
from time import perf_counter, process_time

from engine.analysis.analyst import Settings, analyst_for
from engine.analysis.run import analyse
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


def analyses(worlds: int) -> str:
    """JSON: of each game, the digest of an analysis of a duel, and of one with more seats."""
    found = {}
    for slug, game in GAMES.items():
        bot = game.house_bots()["greedy"]
        for seats in (2, game.seats[-1]):
            table = [ScriptPlayer.from_file(bot) for _ in range(seats)]
            replay = play(game, table, seed=3).replay
            analysis = analyse(replay, Settings(first=2, pairs=8, worlds=worlds, checks=2))
            found[f"{slug} {seats}"] = sha256(analysis.to_bytes()).hexdigest()
    return json.dumps(found)


def cpu_seconds() -> float:
    """Of this process. Under Pyodide its clock is the wall's, so there Node is asked."""
    try:
        import js
    except ImportError:
        return process_time()
    used = js.process.cpuUsage()
    return (used.user + used.system) / 1e6


def study_seconds(count: int) -> str:
    """JSON: CPU seconds that each budget takes for a duel of greedy bots, by game; mean of some."""
    found: dict[str, dict[str, float]] = {}
    for slug, game in GAMES.items():
        analyst = analyst_for(game)
        table = [ScriptPlayer.from_file(game.house_bots()["greedy"]) for _ in range(2)]
        replays = [play(game, table, seed=seed).replay for seed in range(count)]
        for name in ("quick", "standard"):
            began = cpu_seconds()
            for replay in replays:
                analyse(replay, analyst.budgets[name])
            found.setdefault(slug, {})[name] = (cpu_seconds() - began) / count
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
