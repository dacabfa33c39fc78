"""Benches run one at a time, each in a process of its own, so that none finds another's traces."""

from __future__ import annotations

import importlib
import multiprocessing
import queue
import traceback
from multiprocessing.context import SpawnProcess
from typing import Any

from tests.programs.bench.rows import Progress, Row


def measure(name: str, progress: Progress) -> tuple[list[Row], list[str]] | str:
    """A bench's rows and notes, or why there are none."""
    context = multiprocessing.get_context("spawn")
    told: Any = context.Queue()
    process: SpawnProcess = context.Process(target=_run, args=(name, told))
    process.start()
    try:
        while True:
            try:
                kind, what = told.get(timeout=1)
            except queue.Empty:
                if process.is_alive():
                    continue
                return f"its process ended with {process.exitcode}"
            if kind == "progress":
                progress(what)
            else:
                return what
    finally:
        process.join(10)
        if process.is_alive():
            process.kill()


def _run(name: str, told: Any) -> None:
    try:
        bench = importlib.import_module(f"tests.programs.bench.bench_{name}")
        found = bench.run(lambda text: told.put(("progress", text)))
        told.put(("done", (found, [bench.NOTE])))
    except BaseException:
        told.put(("broken", traceback.format_exc()))
