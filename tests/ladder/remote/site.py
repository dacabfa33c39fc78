"""A site with stream and keeper in processes of their own, and remote bots that play there."""

from __future__ import annotations

import json
import random
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ladle.remote import Line, Outcome, Seat
from tests import servers
from tests.ladder.events.streaming import stream_server
from tests.servers import PYTHON, Server, manage, product_environment

BOTS = """
import json
from ladder.services.remote import bots
from tests.factories import make_bot, make_user
from engine.games import GAMES
house, alice = make_user("house"), make_user("alice")
for game in GAMES.values():
    for slug, path in game.house_bots().items():
        if slug in {slugs!r}:
            make_bot(house, game=game.slug, name=f"House {{slug}} {{game.slug[:8]}}",
                     house_slug=slug, source=path.read_text())
made = []
for name, game, tempo in {remotes!r}:
    remote, token = bots.create(owner=alice, game=game, name=name, tempo=tempo)
    made.append([remote.pk, token])
print(json.dumps(made))
"""

CHALLENGE = """
import json
from ladder.boards import Board
from ladder.models import Bot, User
from ladder.services import challenges
made = []
for name, slugs in {tables!r}:
    own = Bot.objects.get(name=name)
    others = [Bot.objects.get(game=own.game, house_slug=slug) for slug in slugs]
    board = Board(own.game, {seats!r} or 1 + len(others))
    match = challenges.challenge(by=User.objects.get(username="alice"), board=board, own=own,
                                 others=others)
    made.append(match.pk)
print(json.dumps(made))
"""

CENSUS = """
import json
from ladder.models import Line, Match
from engine import replay as replays
from engine.games import GAMES
def verified(play):
    with play.replay.open("rb") as file:
        replay = replays.read(file.read())
    replays.verify(GAMES[replay.game], replay)
    return True
out = []
for match in Match.objects.filter(kind="remote").order_by("pk"):
    plays = list(match.plays.all())
    out.append(dict(
        match=match.pk, status=match.status, attempt=match.attempt, failed=match.attempts,
        why=match.void_reason, given=len(match.sitting.given), clocks=match.sitting.clocks,
        faults=[fault for play in plays for fault in play.faults],
        places=[play.places for play in plays],
        verified=sum(verified(play) for play in plays),
        lines={state: match.sitting.lines.filter(type="decide", state=state).count()
               for state in Line.State.values},
    ))
print(json.dumps(out))
"""


class RemoteSite:
    """The processes that remote bots need, each to be killed and started again."""

    def __init__(self, environment: dict[str, str], folder: Path) -> None:
        self.environment = environment
        self.folder = folder
        self.stream: Server = stream_server(environment, folder / "stream.log")
        self.keeper = Server(
            [PYTHON, "manage.py", "keeper"], environment=environment, log=folder / "keeper.log"
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.stream.port}"

    def shell(self, code: str) -> Any:
        return json.loads(manage(self.environment, "shell", "-v", "0", "-c", code).splitlines()[-1])

    def make_bots(
        self, *remotes: tuple[str, str, str], slugs: tuple[str, ...] = ("greedy", "random")
    ) -> dict[str, tuple[int, str]]:
        made = self.shell(BOTS.format(remotes=list(remotes), slugs=list(slugs)))
        return {remote[0]: (bot, token) for remote, (bot, token) in zip(remotes, made, strict=True)}

    def challenge(self, *tables: tuple[str, list[str]], seats: int = 0) -> list[int]:
        made: list[int] = self.shell(CHALLENGE.format(tables=list(tables), seats=seats))
        return made

    def census(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = self.shell(CENSUS)
        return rows

    def log(self) -> str:
        logs = [self.folder / "keeper.log", self.folder / "stream.log"]
        return "\n".join(path.read_text()[-4000:] for path in logs if path.exists())


@contextmanager
def remote_site(folder: Path, **settings: str) -> Iterator[RemoteSite]:
    environment = product_environment(folder / "var", LADLE_REMOTE_LEASE_SECONDS="3", **settings)
    manage(environment, "migrate", "-v0")
    site = RemoteSite(environment, folder)
    site.stream.start()
    site.keeper.start()
    try:
        yield site
    finally:
        site.keeper.stop()
        site.stream.stop()


class Bot(threading.Thread):
    """A remote bot that answers at random, and notes what it was asked and told."""

    def __init__(
        self,
        url: str,
        token: str,
        choose: Callable[[Line], str | None] | None = None,
        hands: int = 1,
    ) -> None:
        super().__init__(daemon=True)
        self.url, self.headers = url, {"Authorization": f"Bearer {token}"}
        self.seat = Seat(url, token)
        self._choose = choose or legal
        self._hands = ThreadPoolExecutor(hands)  # how many decisions it thinks about at a time
        self.decisions: list[Line] = []
        self.ends: list[Line] = []
        self.chosen: dict[str, str] = {}
        self.outcomes: dict[str, Outcome] = {}
        self.thought_s = 0.0  # from a decision's arrival to its answer
        self.is_connected = threading.Event()
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            for line in self.seat.lines():
                self.is_connected.set()
                self.take(line)
        except Exception as error:
            self.error = error

    def take(self, line: Line) -> None:
        """Note a line, and think about a decision in a thread of its own."""
        if line["type"] == "end":
            self.ends.append(line)
        elif line["type"] == "decide":
            self.decisions.append(line)
            self._hands.submit(self._decide, line, time.monotonic())

    def _decide(self, line: Line, arrived: float) -> None:
        try:
            action = self._choose(line)
            if action is not None:
                self.chosen[line["id"]] = action
                self.outcomes[line["id"]] = self.seat.answer(line["id"], action)
            self.thought_s += time.monotonic() - arrived
        except Exception as error:
            self.error = error

    def stop(self) -> None:
        self.seat.close()


def legal(line: Line) -> str:
    return random.choice(line.get("legal") or line["suggestions"])


def fresh_name() -> str:
    return f"Far {secrets.token_hex(3)}"


__all__ = ["Bot", "RemoteSite", "legal", "remote_site", "servers"]
