"""`make anchors`: measure the house bots on every board and write each game's anchors.json.

    python -m tests.calibration.anchors play [SECONDS [BOARD...]]   sets into build/anchors/
    python -m tests.calibration.anchors fit                         anchors.json, per game

SECONDS are of CPU, for each board. Each board is fitted as the ladders are, greedy alone fixed;
boards that were not played again stay as they are.
"""

from __future__ import annotations

import json
import math
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from engine.games import GAMES
from ladder.ratings.fit import Fit, fit
from ladder.ratings.intervals import wilson
from ladder.ratings.outcome import SLOPE, Outcome
from tests.calibration import house_play

LOGS = Path(__file__).resolve().parent.parent.parent / "build" / "anchors"
SECONDS = 75.0
FIXED_ELO = 1400.0
LEAST_ERROR = 20.0  # a site's bots do not play quite as in this process


def play_all(seconds: float, boards: list[str]) -> None:
    LOGS.mkdir(parents=True, exist_ok=True)
    for slug, game in GAMES.items():
        for seats in game.seats:
            if boards and f"{slug}/{seats}" not in boards:
                continue
            path = LOGS / f"{slug}-{seats}.jsonl"
            with path.open("w", encoding="utf-8") as file:
                for one in house_play.play(game, seats, seconds):
                    file.write(json.dumps(one) + "\n")
            print(path, flush=True)


def fit_all() -> None:
    for slug, game in GAMES.items():
        committed = game.folder / "anchors.json"
        boards = json.loads(committed.read_text("utf-8"))["boards"] if committed.exists() else {}
        for seats in game.seats:
            path = LOGS / f"{slug}-{seats}.jsonl"
            if path.exists():
                boards[str(seats)] = measured(path, list(game.house_bots()))
        if boards:
            text = json.dumps({"fixed": house_play.FIXED, "boards": boards}, indent=1)
            committed.write_text(text + "\n", encoding="utf-8")
            print(
                slug,
                {s: {n: b["elo"] for n, b in one["bots"].items()} for s, one in boards.items()},
            )


def measured(path: Path, names: list[str]) -> dict[str, Any]:
    """Ratings with errors of the house bots of a board, and how the pairs of them fared."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    outcomes = [Outcome.from_places(one["bots"], one["places"]) for one in lines]
    found = fit(outcomes, fixed={house_play.FIXED: FIXED_ELO})
    return {
        "sets": len(outcomes),
        "dispersion": round(found.dispersion, 3),
        "bots": {name: _bot(found, name) for name in names if name in found.rated},
        "pairs": _pairs(outcomes, found, names),
    }


def _bot(found: Fit, name: str) -> dict[str, float]:
    one = found.rated[name]
    error = max(LEAST_ERROR, math.sqrt(one.variance)) if one.variance else 0.0
    return {
        "elo": round(one.value),
        "error": round(error),
        "low": round(one.low),
        "high": round(one.high),
        "sets": one.sets,
    }


def _pairs(outcomes: list[Outcome], found: Fit, names: list[str]) -> list[dict[str, Any]]:
    """What the pairs of house bots that met directly scored, and what their ratings say.

    `low` and `high` are Wilson's 95% interval of the measured score: of the rounds, divided by the
    board's dispersion, as those of a set hang together. (The scatter of six sets is no measure of
    itself.)
    """
    shares: dict[tuple[str, str], list[float]] = defaultdict(list)
    rounds_of: dict[tuple[str, str], int] = defaultdict(int)
    for one in outcomes:
        for i, a in enumerate(one.entrants):
            for j, b in enumerate(one.entrants):
                if a < b and a in names and b in names:
                    shares[a, b].append(one.beats[i][j] / one.rounds)
                    rounds_of[a, b] += one.rounds
    rows = []
    for (a, b), values in sorted(shares.items()):
        gap = found.rated[a].value - found.rated[b].value
        predicted = 1 / (1 + math.exp(-SLOPE * gap))
        mean = math.fsum(values) / len(values)
        rounds = rounds_of[a, b] / found.dispersion
        low, high = wilson(mean * rounds, rounds)
        rows.append(
            {
                "bots": [a, b],
                "sets": len(values),
                "scored": round(mean, 4),
                "low": round(low, 4),
                "high": round(high, 4),
                "predicted": round(predicted, 4),
            }
        )
    return rows


if __name__ == "__main__":
    if sys.argv[1:2] == ["fit"]:
        fit_all()
    else:
        play_all(float(sys.argv[2]) if len(sys.argv) > 2 else SECONDS, sys.argv[3:])
