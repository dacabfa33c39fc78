"""A progress bar or a live chart on stderr, where someone is there to see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

BLOCKS = "▁▂▃▄▅▆▇█"
CHART_WIDTH = 48


@contextmanager
def bar(total: int, what: str, done: int = 0) -> Iterator[Callable[[], None]]:
    """Shows how many of `total` are done; call what it yields after each."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    terminal = Console(stderr=True, highlight=False)
    columns = (BarColumn(), MofNCompleteColumn(), what, TimeRemainingColumn())
    hidden = not terminal.is_terminal
    with Progress(*columns, console=terminal, transient=True, disable=hidden) as shown:
        task = shown.add_task("", total=total, completed=done)
        yield lambda: shown.advance(task)


@contextmanager
def chart(
    bounds: Mapping[str, tuple[float, float]], steps: int
) -> Iterator[Callable[[Mapping[str, float]], None]]:
    """Draws how numbers move between their bounds; call what it yields after each step."""
    from rich.console import Console
    from rich.live import Live
    from rich.table import Table

    terminal = Console(stderr=True, highlight=False)
    if not terminal.is_terminal:
        yield lambda values: None
        return
    history: dict[str, list[float]] = {name: [] for name in bounds}

    def drawn() -> Table:
        done = len(next(iter(history.values())))
        grid = Table.grid(padding=(0, 1))
        for name, (low, high) in bounds.items():
            values = history[name]
            now = f"{values[-1]:.4g}" if values else ""
            grid.add_row(name, now, f"{low:g}", spark(values, low, high), f"{high:g}")
        grid.add_row(f"step {done} of {steps}")
        return grid

    with Live(drawn(), console=terminal, transient=True, refresh_per_second=8) as live:

        def show(values: Mapping[str, float]) -> None:
            for name, value in values.items():
                history[name].append(value)
            live.update(drawn())

        yield show


def spark(values: Sequence[float], low: float, high: float, width: int = CHART_WIDTH) -> str:
    """Values as a line of blocks, the newest at the right, at most `width` of them."""
    count = min(width, len(values))
    picked = [values[(at + 1) * len(values) // count - 1] for at in range(count)]
    top = len(BLOCKS) - 1
    return "".join(BLOCKS[round(top * (value - low) / (high - low))] for value in picked)
