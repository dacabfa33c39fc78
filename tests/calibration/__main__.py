"""`make calibration`: does what the ladders show come true? Prints figures, writes a report.

python -m tests.calibration [RUNS [SECTION...]]    how often each board is simulated, 20 unless told
"""

from __future__ import annotations

import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from engine.games import GAMES
from tests.calibration import (
    coverage,
    drift,
    fairness,
    overload,
    queueing,
    robustness,
    selection,
    speed,
    trials,
)

REPORT = Path(__file__).resolve().parent.parent.parent / "build" / "calibration.md"


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


def overload_lines(runs: int) -> Iterator[str]:
    yield "## Uploads to one board for an hour, two workers: time until a rank"
    for title, simulate in (("", overload.stream), (", one author floods", overload.flooded)):
        for rate in overload.RATES:
            found = [simulate(seed, rate) for seed in range(max(2, runs // 4))]
            means = {name: np.nanmean([one[name] for one in found]) for name in found[0]}
            yield (
                f"{rate:g} a minute{title}: ranked {means['ranked']:.0f} of {means['uploads']:.0f}"
                f" ({means['of these ranked']:.0f} of the {means['of the first half hour']:.0f} of"
                f" the first half hour), median {means['median']:.0f} s, longest"
                f" {means['longest']:.0f} s; first result within"
                f" {max(one['first result, longest'] for one in found):.0f} s ({len(found)} runs)"
            )


def robust_lines(runs: int) -> Iterator[str]:
    yield f"## Coverage beside copies of the starter, after {robustness.CHECKS} sets"
    for count, known in ((0, True), (20, True), (60, True), (60, False)):
        found = [robustness.copies(2, count, s, are_known=known) for s in range(runs)]
        words = "known as such" if known else "not known as such"
        shares = ", ".join(share(list(one)) for one in zip(*found, strict=True))
        yield f"20 bots and {count} copies, {words}: {shares}"
    yield f"## Coverage where no rating explains all results, after {robustness.LATER_CHECKS} sets"
    for name, seats, sd, more in robustness.MISFITS:
        boards = [robustness.misfits(seats, sd, s, **more) for s in range(runs)]
        for truth in boards[0]:
            shares = zip(*(one[truth] for one in boards), strict=True)
            yield f"{name}, {truth}: " + ", ".join(share(list(one)) for one in shares)


def selection_lines(runs: int) -> Iterator[str]:
    yield "## The luckiest of many versions of a bot of 1600: as shown, and as it was before"
    for seats in (2, 4):
        for versions, spread in ((1, 0.0), (5, 0.0), (20, 0.0), (20, 150.0)):
            for corrects in (True, False):
                found = [
                    selection.best_of(versions, seats, seed, spread=spread, corrects=corrects)
                    for seed in range(runs)
                ]
                gain = [one.gain for one in found]
                yield (
                    f"{seats} seats, best of {versions}, truly {spread:.0f} apart, "
                    f"{'now' if corrects else 'before'}: {np.mean(gain):+.0f} ± "
                    f"{np.std(gain) / np.sqrt(runs):.0f}, covered "
                    f"{share([float(one.is_covered) for one in found])}, place "
                    f"{np.mean([one.place for one in found]):.1f}, true "
                    f"{np.mean([one.true_place for one in found]):.1f}"
                )


def fairness_lines(runs: int) -> Iterator[str]:
    yield "## Colluders: three puppets and a boss among 24 honest bots, looked at every 25 sets"
    for seats in (2, 4):
        cases = [(3, False, False), (3, True, False), (3, False, True), (0, False, False)]
        for puppets, is_crowning, are_linked in cases:
            found = [
                fairness.collusion(
                    seats, seed, puppets=puppets, is_crowning=is_crowning, are_linked=are_linked
                )
                for seed in range(runs)
            ]
            words = "made king" if is_crowning else "thrown to" if puppets else "nobody"
            yield (
                f"{seats} seats, {words}{', linked' if are_linked else ''}: "
                f"{_found([one.sets for one in found])}; false alarms: "
                f"{sum(one.false_alarms for one in found)} of {sum(one.pairs for one in found)}"
            )
    yield "## A memory: a version that is better in later plays, among 60"
    for seats in (2, 4):
        for gain in (0.0, 100.0, 200.0, 400.0):
            sets = [fairness.memory(seats, seed, gain=gain) for seed in range(runs)]
            yield f"{seats} seats, {gain:+.0f} Elo: {_found(sets)}"


def _found(sets: list[int | None]) -> str:
    known = [one for one in sets if one is not None]
    if not known:
        return f"found in 0 of {len(sets)}"
    middle = np.median(known)
    return f"found in {len(known)} of {len(sets)}, after {middle:.0f} sets (at most {max(known)})"


def house_lines(_: int) -> Iterator[str]:
    yield "## House pairs: the fitted gap, and what direct sets on fresh seeds are worth"
    within = total = 0
    for slug, game in GAMES.items():
        boards = json.loads((game.folder / "anchors.json").read_text(encoding="utf-8"))["boards"]
        for seats, board in boards.items():
            for pair in board["pairs"]:
                check = pair["check"]
                within, total = within + check["is_within"], total + 1
                low, high = (
                    "" if end is None else f"{end:+d}" for end in (check["low"], check["high"])
                )
                yield (
                    f"{slug}/{seats} {' v '.join(pair['bots'])}: {pair['gap']:+d} ± "
                    f"{pair['error']} by {pair['sets']} direct sets and others; check "
                    f"{check['gap']:+d} ({low} to {high}) by {check['sets']}"
                    f"{'' if check['is_within'] else ', OUTSIDE'}"
                )
    yield f"{within} of {total} pairs within both errors"


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
                f"{found['pairs']:.0f} pairs (Wald {trials.wald(variance):.0f}); "
                f"Elo {found['elo, median']:+.1f}, covered {found['covered']:.3f} (by the mean "
                f"{found['elo by the mean, median']:+.1f}, {found['covered by the mean']:.3f})"
            )


SECTIONS = {
    "house": house_lines,
    "speed": speed_lines,
    "robust": robust_lines,
    "fairness": fairness_lines,
    "selection": selection_lines,
    "trials": trial_lines,
    "tau": tau_lines,
    "queue": queue_lines,
    "overload": overload_lines,
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
