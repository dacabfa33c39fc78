"""`make calibration`: does what the ladders show come true? Prints figures, writes a report.

python -m tests.calibration [RUNS [SECTION...]]    how often each board is simulated, 20 unless told
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.games import GAMES
from tests.calibration import coverage, drift, queueing, speed, trials

REPORT = Path(__file__).resolve().parent.parent.parent / "build" / "calibration.md"

NEAR = 0.01  # of a win: where thousands of sets were played no formula is true to the last digit


def share(values: list[float]) -> str:
    """A mean with its standard error, boards being the unit."""
    return f"{np.mean(values):.3f} ± {np.std(values) / np.sqrt(len(values)):.3f}"


def coverage_lines(runs: int) -> Iterator[str]:
    shown = "all", "best", "worst", "best and worst", "copy of an anchor"
    yield f"## Coverage of the 95% interval ± its error ({' / '.join(shown)})"
    for name, counts in coverage.measure(runs).items():
        for sets in coverage.CHECKS:
            figures = " / ".join(share(counts[sets, who]) for who in shown)
            yield f"{name}, {sets} sets: {figures} ({len(counts[sets, 'all'])} runs)"


def special_lines(runs: int) -> Iterator[str]:
    yield "## Coverage of a bot far above all others, and of new versions that got 200 better"
    for seats in (2, 4):
        cases = (
            (f"a bot at 2150, {seats} seats", coverage.far_above, 2150.0, runs),
            (f"a bot at 2400, {seats} seats", coverage.far_above, 2400.0, runs),
            # Five versions a board.
            (f"a version 200 better, {seats} seats", coverage.grown, 200.0, max(2, runs // 4)),
        )
        for name, simulate, strength, boards in cases:
            found = defaultdict(list)
            for seed in range(boards):
                for sets, hit in simulate(seats, strength, seed):
                    found[sets].append(float(hit))
            yield f"{name}: " + ", ".join(f"{share(v)} at {k} sets" for k, v in found.items())


def tau_lines(runs: int) -> Iterator[str]:
    yield "## Kendall's tau of the shown order with the true one"
    for seats in (2, 4):
        found = defaultdict(list)
        for seed in range(runs):
            luck = coverage.independent
            for sets, _, tau in coverage.run(seats, 200, luck, seed, coverage.TAU_CHECKS):
                found[sets].append(tau)
        figures = ", ".join(f"{np.mean(taus):.2f} at {sets}" for sets, taus in found.items())
        yield f"{seats} seats: {figures} sets"


def drift_lines(runs: int) -> Iterator[str]:
    yield "## Drift of 30 constant bots over 30 generations of newcomers"
    for shift in (-300.0, 0.0, 300.0):
        moved = [drift.drift(seed, shift) for seed in range(runs)]
        scatter = np.std(moved, ddof=1)
        yield (
            f"newcomers {shift:+.0f}: {np.mean(moved):+.1f} Elo ± {scatter / np.sqrt(runs):.1f}, "
            f"with a scatter of {scatter:.0f} between runs ({runs})"
        )


def queue_lines(runs: int) -> Iterator[str]:
    for title, simulate in (
        ("a fresh site, 80 bots on 16 boards", queueing.fresh_site),
        ("25 uploads, one every 7 s", queueing.uploads),
    ):
        yield f"## Until everybody is ranked: {title}"
        for rule in queueing.RULES:
            found = [simulate(seed, rule) for seed in range(max(2, runs // 2))]
            for name in found[0]:
                values = [one[name] for one in found]
                error = np.std(values, ddof=1) / np.sqrt(len(values))
                yield f"{rule}{name}: {np.mean(values):.0f} ± {error:.0f}"


def house_lines(_: int) -> Iterator[str]:
    yield "## House pairs: predicted and measured score"
    inside = near = total = 0
    for slug, game in GAMES.items():
        path = game.folder / "anchors.json"
        boards = json.loads(path.read_text(encoding="utf-8"))["boards"] if path.exists() else {}
        for seats, board in boards.items():
            for pair in board["pairs"]:
                hit = pair["low"] <= pair["predicted"] <= pair["high"]
                is_near = abs(pair["predicted"] - pair["scored"]) <= NEAR
                inside, near, total = inside + hit, near + (is_near and not hit), total + 1
                if not hit:
                    names = " v ".join(pair["bots"])
                    yield (
                        f"outside: {slug}/{seats} {names}, predicted {pair['predicted']:.3f}, "
                        f"scored {pair['scored']:.3f} ({pair['low']:.3f} to {pair['high']:.3f}, "
                        f"{pair['sets']} sets)"
                    )
    chance = at_least(total - inside - near, total, 0.05)
    yield (
        f"{inside} of {total} pairs within their interval, {near} more within a hundredth of a "
        f"win; as many others by chance alone: {chance:.2f}"
    )


def at_least(hits: int, tries: int, rate: float) -> float:
    """The likelihood of so many hits or more."""
    return sum(
        math.comb(tries, n) * rate**n * (1 - rate) ** (tries - n) for n in range(hits, tries + 1)
    )


def speed_lines(_: int) -> Iterator[str]:
    yield "## Seconds of CPU of a fit: from the start, after a tick (and what was asked for)"
    for versions, results, goal in speed.GOALS:
        cold, warm = speed.measure(versions, results)
        yield f"{versions} versions, {results:,} results: {cold:.2f}, {warm:.2f} ({goal})"


def trial_lines(runs: int) -> Iterator[str]:
    yield f"## Trials: +40 against 0, cap 1,200 pairs; {50 * runs} of each, {10 * runs} of +20"
    for variance in trials.SPREADS:
        for elo in (0.0, 20.0, 40.0):
            found = trials.measure(elo, variance, 50 * runs if elo in (0.0, 40.0) else 10 * runs)
            yield (
                f"variance {variance}, true {elo:+.0f}: better {found['better']:.4f}, "
                f"not better {found['not better']:.4f}, not proven {found['not proven']:.4f}, "
                f"{found['pairs']:.0f} pairs (Wald {trials.wald(variance):.0f})"
            )


SECTIONS = {
    "house": house_lines,
    "speed": speed_lines,
    "trials": trial_lines,
    "tau": tau_lines,
    "queue": queue_lines,
    "drift": drift_lines,
    "special": special_lines,
    "coverage": coverage_lines,
}


def main(runs: int, names: list[str]) -> None:
    REPORT.parent.mkdir(exist_ok=True)
    lines = [f"# Calibration, {runs} runs"]
    for name in names or SECTIONS:
        began = time.monotonic()
        for line in SECTIONS[name](runs):
            print(line, flush=True)
            lines.append(line)
        lines.append(f"({time.monotonic() - began:.0f} s)")
    REPORT.write_text("\n\n".join(lines) + "\n", encoding="utf-8")
    print(f"written to {REPORT}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, sys.argv[2:])
