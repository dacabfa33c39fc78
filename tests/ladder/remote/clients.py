"""Remote bots of all kinds for the storm: well-behaved, slow, on a bad line, and worse."""

from __future__ import annotations

import random
import threading
import time
from contextlib import suppress

import httpx

from ladle.remote import Line, Outcome
from tests.ladder.remote.proxy import Proxy
from tests.ladder.remote.site import Bot, legal

HANDS = 4
DROPS_S = (2.0, 5.0)  # between two cuts of a bad line
VANISHES_AFTER = 3  # decisions


def slow(line: Line) -> str:
    """Thinks for some seconds now and then."""
    if random.random() < 0.05:
        time.sleep(2.0)
    return legal(line)


class Dropping(Bot):
    """Its line is cut every few seconds."""

    def __init__(self, url: str, token: str) -> None:
        self._proxy = Proxy(int(url.rpartition(":")[2]))
        super().__init__(self._proxy.url, token, hands=HANDS)
        self._has_stopped = threading.Event()
        threading.Thread(target=self._cut, daemon=True).start()

    def _cut(self) -> None:
        while not self._has_stopped.wait(random.uniform(*DROPS_S)):
            self._proxy.restart()

    def stop(self) -> None:
        self._has_stopped.set()
        super().stop()
        self._proxy.close()


class Twice(Bot):
    """Repeats each answer, and then tries another one."""

    def __init__(self, url: str, token: str) -> None:
        super().__init__(url, token, hands=HANDS)
        self.repeats: list[Outcome] = []
        self.others: list[Outcome] = []

    def _decide(self, line: Line, arrived: float) -> None:
        super()._decide(line, arrived)
        taken = self.outcomes.get(line["id"])
        if taken is None or not taken.is_taken:
            return
        self.repeats.append(self.seat.answer(line["id"], self.chosen[line["id"]]))
        self.others.append(self.seat.answer(line["id"], "something else"))


class Polling(Bot):
    """Keeps no stream open: it asks again and again."""

    def run(self) -> None:
        known: list[str] = []
        with httpx.Client(headers=self.headers, timeout=40) as client:
            while not self.seat.is_stopping:
                with suppress(httpx.HTTPError, KeyError, ValueError):
                    asked = {"wait": "5", "known": ",".join(known[-20:])}
                    answer = client.get(f"{self.url}/api/v1/seat", params=asked)
                    lines = answer.json()["lines"]
                    self.is_connected.set()
                    for line in lines:
                        if line["id"] not in known:
                            known.append(line["id"])
                            self.take(line)
                    continue
                time.sleep(0.3)


class Late(Bot):
    """Answers long after its time was used up."""

    def __init__(self, url: str, token: str, budget_s: float) -> None:
        def choose(line: Line) -> str:
            time.sleep(budget_s + 6)
            return legal(line)

        super().__init__(url, token, choose)


class Vanishing(Bot):
    """Leaves in the middle of a play, without a word."""

    def take(self, line: Line) -> None:
        super().take(line)
        if len(self.decisions) > VANISHES_AFTER:
            self.stop()
