"""`python -m tests.programs.bench [name...]`: measure, show a table, write build/bench.md."""

from __future__ import annotations

import math
import os
import platform
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.programs.bench import apart
from tests.programs.bench.rows import Row

BENCHES = ("engine", "throw", "sandbox", "results", "api", "endtoend")
REPORT = Path(__file__).resolve().parents[3] / "build" / "bench.md"
COLUMNS = ("", "unit", "ours", "theirs", "ratio", "goal", "verdict")


def main(names: Iterable[str]) -> int:
    chosen = list(names) or list(BENCHES)
    if unknown := sorted(set(chosen) - set(BENCHES)):
        print(f"no such bench: {', '.join(unknown)}; there are {', '.join(BENCHES)}")
        return 2
    console = Console()
    began = time.monotonic()
    rows: list[Row] = []
    notes: list[str] = []
    broken: list[str] = []
    for number, name in enumerate(chosen, 1):
        with console.status("") as status:
            place = f"[{number} of {len(chosen)}] {name}"
            found = apart.measure(name, lambda text, place=place: status.update(f"{place}: {text}"))
        if isinstance(found, str):
            broken.append(name)
            console.print(f"{name} could not be measured:\n{found}", markup=False)
            continue
        console.print(f"{name}: {len(found[0])} rows", highlight=False)
        rows += found[0]
        notes += found[1]
    console.print(_table(rows))
    missed = [row for row in rows if not row.ok]
    verdict = f"{sum(row.goal is not None for row in rows)} goals, {len(missed)} missed"
    verdict += f", not measured: {', '.join(broken)}" if broken else ""
    minutes = (time.monotonic() - began) / 60
    console.print(f"{verdict} ({minutes:.1f} minutes); written to {REPORT}", highlight=False)
    REPORT.parent.mkdir(exist_ok=True)
    REPORT.write_text(_markdown(rows, notes, verdict), encoding="utf-8")
    return 1 if missed or broken else 0


def _cells(row: Row) -> list[str]:
    figures = [_figure(row.ours), _figure(row.theirs), _figure(row.ratio)]
    return [row.name, row.unit, *figures, row.goal_text, row.verdict]


def _figure(value: float) -> str:
    if math.isnan(value):
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _table(rows: list[Row]) -> Table:
    table = Table(*COLUMNS[:2])
    for column in COLUMNS[2:]:
        table.add_column(column, justify="right", no_wrap=True)
    for row in rows:
        style = "" if row.goal is None else "green" if row.ok else "bold red"
        table.add_row(*_cells(row), style=style)
    return table


def _markdown(rows: list[Row], notes: list[str], verdict: str) -> str:
    head = f"Python {platform.python_version()}, {os.cpu_count()} cores, {platform.machine()}"
    lines = ["# Speed", "", f"{verdict}. {time.strftime('%Y-%m-%d')}, {head}.", ""]
    lines += ["| " + " | ".join(COLUMNS) + " |", "|---|---|--:|--:|--:|--:|---|"]
    lines += ["| " + " | ".join(_cells(row)) + " |" for row in rows]
    lines += ["", "A ratio is ours by theirs. Rows without a goal are there to compare.", ""]
    lines += [f"- {note}" for note in notes]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
