"""`make analysis`: measures analysts into figures.json and draws docs/analysis.svg.

python -m tests.analysis [SECTION[:GAME]...]
sections: seconds sums plants own calibration luck trials; or all
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from engine.games import GAMES
from tests.analysis import lengths, outcomes, validity
from tests.analysis.plot import drawn
from tests.analysis.positions import is_judged
from tests.analysis.throws import judge_of
from tests.tab import in_a_tab
from tests.tab.plays import study_seconds

FIGURES = Path(__file__).parent / "figures.json"
DRAWING = Path(__file__).parents[2] / "docs" / "analysis.svg"
PLANTS, STRONG_PLAYS, SUMS, PLAYS, SETS = 160, 50, 40, 500, 80
FEW_PLANTS, FEW_STRONG = {"safranito": 24}, {"safranito": 12}  # no marks are shown by its analyst
JUDGED = [slug for slug, game in GAMES.items() if is_judged(game)]
Measured = dict[str, Any]


def mapped(act: Callable[[int], Any], count: int) -> list[Any]:
    with ProcessPoolExecutor(2) as pool:
        return list(pool.map(act, range(count), chunksize=4))


def plants(slug: str) -> Measured:
    settings = judge_of(slug).budgets["standard"]
    rows = mapped(partial(validity.plant, slug, settings=settings), FEW_PLANTS.get(slug, PLANTS))
    kept = [row for row in rows if row["confirmed"]]
    marks = Counter(row["mark"] for row in kept)
    return {
        "trials": len(rows),
        "confirmed": len(kept),
        "found": len(kept) - marks[""],
        "found_as_mistake": marks["mistake"] + marks["blunder"],
        "suspected": sum("again" in row for row in rows),
        "disputed": sum(row["label"] == "disputed" for row in kept),
        "missed": [row for row in kept if not row["mark"]],
    }


def own(slug: str) -> Measured:
    settings = judge_of(slug).budgets["standard"]
    plays = mapped(
        partial(validity.own, slug, settings=settings), FEW_STRONG.get(slug, STRONG_PLAYS)
    )
    rows = [row for rows in plays for row in rows]
    told: Measured = {"decisions": len(rows)}
    for who in ("strong", "advised"):
        marks = Counter(row[who] for row in rows)
        told[who] = {mark: marks[mark] for mark in ("slip", "mistake", "blunder")}
    return told


def sums(slug: str) -> Measured:
    return {"plays": SUMS, "largest_gap": max(mapped(partial(outcomes.largest_gap, slug), SUMS))}


def calibration(slug: str) -> Measured:
    plays = mapped(partial(outcomes.expected, slug), PLAYS)
    rows = np.array([row for rows in plays for row in rows])
    bins = []
    for low in np.arange(0, 1, 0.1):
        inside = rows[(rows[:, 0] >= low) & ((rows[:, 0] < low + 0.1) | (low > 0.85))]
        if len(inside):
            told, got = inside.mean(axis=0)
            bins.append([round(float(told), 3), round(float(got), 3), len(inside)])
    by_policy = mapped(partial(outcomes.expected, slug, policy=True), PLAYS // 5)
    own = np.array([row for rows in by_policy for row in rows])
    strong = np.array([row for trial in range(4, PLAYS, 5) for row in plays[trial]])
    slopes = {
        name: round(slope(some), 2)
        for name, some in {"slope": rows, "slope_strong": strong, "slope_policy": own}.items()
    }
    return {"plays": PLAYS, "moments": len(rows), **slopes, "bins": bins}


def slope(rows: np.ndarray) -> float:
    """Of outcomes on the logit of expectations: 1 is calibrated, less is overconfident."""
    x = np.clip(rows[:, 0], 0.02, 0.98)
    logit, weight = np.log(x / (1 - x)), 1.0
    for _ in range(40):
        p = 1 / (1 + np.exp(-weight * logit))
        weight += np.sum(logit * (rows[:, 1] - p)) / np.sum(logit**2 * p * (1 - p))
    return float(weight)


def luck(slug: str) -> Measured:
    """How many sets are needed without the luck term for one with it; coefficient from half."""
    rows = np.array(mapped(partial(outcomes.duplicate_set, slug), SETS))
    first, second = rows[: SETS // 2], rows[SETS // 2 :]
    beta = float(np.cov(first.T)[0, 1] / first[:, 1].var(ddof=1))

    def saved(half: np.ndarray) -> float:
        return float(half[:, 0].var() / (half[:, 0] - beta * half[:, 1]).var())

    rng = Random(1)
    draws = sorted(saved(second[[rng.randrange(len(second)) for _ in second]]) for _ in range(2000))
    interval = [round(draws[50], 2), round(draws[1949], 2)]
    mean = round(float(rows[:, 0].mean()), 2)
    figures = {"sets": SETS, "share": mean, "beta": round(beta, 2)}
    return figures | {"factor": round(saved(second), 2), "interval": interval}


def trials(slug: str) -> Measured:
    """How long trials are with the luck term, its coefficient fixed on the sets of `luck`."""
    beta = json.loads(FIGURES.read_text())["luck"][slug]["beta"]
    played = partial(outcomes.duplicate_set, slug, clumsy=lengths.CLUMSY)
    fresh = partial(_fresh, played)
    rows = np.array(mapped(fresh, lengths.SETS))
    return {"clumsy": lengths.CLUMSY} | lengths.measured(rows, beta)


def _fresh(played: Callable[[int], Any], trial: int) -> Any:
    """Of a set on luck on which no coefficient was fixed."""
    return played(SETS + trial)


def seconds(slug: str) -> Measured:
    own, tab = json.loads(study_seconds(1)), json.loads(in_a_tab("study_seconds", 1))
    return {game: {"home": round_all(own[game]), "tab": round_all(tab[game])} for game in GAMES}


def round_all(values: dict[str, float]) -> dict[str, float]:
    return {name: round(value, 1) for name, value in values.items()}


SECTIONS: dict[str, tuple[Callable[[str], Measured], Iterable[str]]] = {
    "seconds": (seconds, ["all"]),
    "sums": (sums, GAMES),
    "plants": (plants, GAMES),
    "own": (own, GAMES),
    "calibration": (calibration, GAMES),
    "luck": (luck, JUDGED),
    "trials": (trials, ["hot_ramen"]),
}


def main() -> None:
    wanted = sys.argv[1:] or list(SECTIONS)
    for section, (measure, games) in SECTIONS.items():
        for game in games:
            if section not in wanted and f"{section}:{game}" not in wanted:
                continue
            began = time.perf_counter()
            told = measure(game)
            figures = json.loads(FIGURES.read_text()) if FIGURES.exists() else {}
            figures.setdefault(section, {})[game] = told
            FIGURES.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n")
            print(
                f"{section} {game}, {time.perf_counter() - began:.0f} s: {json.dumps(told)}",
                flush=True,
            )
    figures = json.loads(FIGURES.read_text())
    if "calibration" in figures:
        DRAWING.write_text(drawn(figures["calibration"]), encoding="utf-8")


if __name__ == "__main__":
    main()
