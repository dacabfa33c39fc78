"""`ladle watch`: follow a bot of the server, match after match."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from ladder.cli.arguments import JsonOption
from ladder.cli.output import console, ordinal, plain, plural
from ladder.cli.remote.connection import ServerOption, as_json, connected, find_bot

if TYPE_CHECKING:
    from ladder.client import Client
    from ladder.contract.events import Event, Mark
    from ladder.contract.matches import Match

POLL_S = 5.0
LATEST = 20  # of its matches are looked at each time; more do not end in between


def watch(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A bot of the server: id or name.")],
    matches: Annotated[
        int | None, typer.Option(metavar="N", min=1, help="Stop after this number of matches.")
    ] = None,
    server: ServerOption = None,
    json_wanted: JsonOption = False,
) -> None:
    """Follow a bot: a line for each match it finished, the latest ones first and then new ones.

    It goes on until you stop it, or for --matches N. With --json each line is one match.

    Examples:

      [cyan]ladle watch "Soup Star"[/cyan]
      [cyan]ladle watch "Soup Star" --matches 10 --json[/cyan]
    """
    seen: set[int] = set()
    with connected(server) as client:
        own = find_bot(client, bot)
        news = _News(client, own.id)
        while True:
            latest = list(islice(client.matches(bot=own.id, status="finished"), LATEST))
            for match in reversed(latest):
                if match.id in seen:
                    continue
                seen.add(match.id)
                if json_wanted:
                    typer.echo(json.dumps(as_json(match)))
                else:
                    console().print(plain(_line(match, own.id)), soft_wrap=True)
                if len(seen) == matches:
                    return
            news.wait()


class _News:
    """Waits for the next event of a bot; where no stream is, for the time between two looks."""

    def __init__(self, client: Client, bot: int) -> None:
        self._client, self._bot = client, bot
        self._events: Iterator[Event | Mark] | None = None
        self._last: int | None = None

    def wait(self) -> None:
        """Return when the bot may have finished a match."""
        from ladder.client import ClientError

        try:
            if self._events is None:
                self._events = self._client.events(
                    bot=self._bot, kind="match.finished", after=self._last
                )
            self._last = next(self._events).id
        except (ClientError, StopIteration):
            self._events = None
            time.sleep(POLL_S)


def _line(match: Match, bot: int) -> str:
    """How the bot did: "match 7, ladder on ramen_ramen/2: 1st, 27 points, against Greedy v1"."""
    own = next(entry for entry in match.entries if entry.bot == bot)
    others = [f"{entry.name} v{entry.version}" for entry in match.entries if entry.bot != bot]
    words = [f"match {match.id}, {match.kind} on {match.game}/{match.seats}: v{own.version}"]
    if own.rank is not None:
        is_level = len(match.entries) > 1 and {entry.rank for entry in match.entries} == {1}
        words.append("drawn" if is_level else ordinal(own.rank))
    if own.points is not None:
        words.append(f"{own.points:.3g} points")
    if own.rating is not None:
        words.append(f"rated {own.rating:.0f} before")
    if others:
        words.append(f"against {', '.join(others)}")
    if own.faults:
        words.append(plural(own.faults, "fault"))
    return ", ".join(words)
