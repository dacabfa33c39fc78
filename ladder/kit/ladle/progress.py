"""A progress bar on stderr, where someone is there to see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
