"""What `ladle connect` prints: lines of JSON, lines of words, or a live table in a terminal."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from ladder.cli.output import console, plain, table

if TYPE_CHECKING:
    from rich.table import Table

    from ladle.programs import PlaySeat
    from ladle.remote import Line

Under = Callable[[], Sequence["PlaySeat"]]
REFRESHES = 4  # a second


@contextmanager
def shown(*, is_json: bool, under_way: Under) -> Iterator[Callable[[Line], None]]:
    """Yields what prints a line. In a terminal the plays under way stand below, as a table."""
    out = console()
    if is_json:
        yield lambda line: typer.echo(json.dumps(line))
    elif not out.is_terminal:
        yield lambda line: typer.echo(words(line))
    else:
        from rich.live import Live

        with Live(
            get_renderable=lambda: tables(under_way(), time.monotonic()),
            console=out,
            refresh_per_second=REFRESHES,
            transient=True,
        ):

            def show(line: Line) -> None:
                if line["type"] != "answered" or not line["is_taken"]:  # the table has the others
                    out.print(plain(words(line)))

            yield show


def tables(under_way: Sequence[PlaySeat], now: float) -> Table:
    """The plays under way, with their clocks."""
    numbers = ("Decisions", "Clock left", "Round trip")
    made = table("Match", "Opponents", *numbers, "State", right=("Match", *numbers))
    for own in under_way:
        trip = "" if own.round_trip_ms is None else f"{own.round_trip_ms} ms"
        made.add_row(
            str(own.play),
            plain(", ".join(own.opponents)),
            str(own.decisions),
            f"{own.clock_left_s(now):.0f} s",
            trip,
            own.state.value,
        )
    if not under_way:
        made.add_row("", "No match under way.")
    return made


def words(line: Line) -> str:
    """A line of the connection as a sentence."""
    match line["type"]:
        case "hello":
            return f"Connected as {line['name']}; {line['open']} decisions are open."
        case "answered":
            refusal = "" if line["is_taken"] else f": not accepted. {line['why']}"
            return f"Match {line['play']}, decision {line['number']}: {line['action']}{refusal}"
        case "restarted":
            return (
                f"Match {line['play']}: {line['why']}. It is started again, and gets `start` and"
                " the open decision."
            )
        case "failed":
            return (
                f"Match {line['play']}: {line['why']}. It is not started a second time: the match"
                f" is lost when its {line['left_s']} s are used up. The bot takes no new matches."
                " To play on, fix the program, press Ctrl-C twice and connect again."
            )
        case "draining":
            count = len(line["plays"])
            noun = "match" if count == 1 else "matches"
            return f"No new matches. {count} {noun} to finish; Ctrl-C again leaves at once."
        case "end":
            fault = f" ({line['fault']['sentence']})" if line["fault"] else ""
            place = line["result"]["places"][line["seat"]]
            return f"Match {line['play']} is over: place {place}{fault}."
    return json.dumps(line)
