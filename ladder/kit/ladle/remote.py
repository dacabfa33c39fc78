"""A remote bot's seat, for notebooks and training loops.

    from ladle.remote import Seat

    seat = Seat("https://ladle.example.org", token)
    seat.play(lambda question: question["legal"][0])

`play` answers every decision until you stop it, in the order in which they come. The connection
is opened again after every break; answers are sent again until the server has said what became
of them.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx

from ladle.errors import Refusal

FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 3.0
SILENCE_S = 20.0  # the server writes something every 5 seconds
TIMEOUT = httpx.Timeout(10, read=SILENCE_S)
FATAL = {400, 401, 403, 404, 405, 413}  # trying again is no use
Line = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the server said to an answer: taken, or why not."""

    is_taken: bool
    code: str = ""
    detail: str = ""


class Seat:
    """One remote bot's connection. `lines` and `play` go on until `stop` is called."""

    def __init__(self, server: str, token: str) -> None:
        self._server = server.rstrip("/")
        self._token = token
        self._base = ""  # where streams and answers are taken; found out at the first connection
        headers = {"Authorization": f"Bearer {token}", "User-Agent": "ladle"}
        self._headers = headers
        self._http = httpx.Client(timeout=TIMEOUT, headers=headers)
        self._stopping = threading.Event()
        self._is_draining = False
        self.breaks = 0  # how often the connection was opened again
        self.hello: Line = {}

    def stop(self) -> None:
        """End `lines`, within a few seconds where nothing arrives."""
        self._stopping.set()

    @property
    def is_stopping(self) -> bool:
        return self._stopping.is_set()

    def drain(self) -> list[int] | None:
        """Take no new plays; the matches to finish first, or None where the server is away.

        The connection ends by itself if there are none.
        """
        self._is_draining = True
        with suppress(httpx.HTTPError, OSError):
            said = self._http.post(f"{self._where()}/api/v1/seat", json={"draining": True})
            if said.status_code == 200:
                plays: list[int] = said.json()["plays"]
                return plays
        return None

    def close(self) -> None:
        self.stop()
        self._http.close()

    def play(
        self, decide: Callable[[Line], str], *, ended: Callable[[Line], None] | None = None
    ) -> None:
        """Answer decisions one after the other. A play's end is passed to `ended`."""
        for line in self.lines():
            if line["type"] == "decide":
                self.answer(line["id"], decide(line))
            elif line["type"] == "end" and ended is not None:
                ended(line)

    def lines(self) -> Iterator[Line]:
        """Decisions, ends and greetings as they come; a decision never twice."""
        pauses = pausing()
        seen: set[str] = set()
        while not self._stopping.is_set():
            try:
                for line in self._follow():
                    pauses = pausing()
                    if line["type"] == "bye":
                        if line["reason"] == "revoked":
                            raise Refusal("this token was revoked; make a new one.")
                        if line["reason"] == "replaced":
                            raise Refusal(
                                "another connection with this bot's token replaced this one."
                            )
                        if line["reason"] == "drained":
                            return
                        break
                    if line["type"] == "decide":
                        if line["id"] in seen:
                            continue
                        seen.add(line["id"])
                    yield line
                    if self._stopping.is_set():
                        return
            except (httpx.HTTPError, OSError, ValueError):
                pass
            self.breaks += 1
            self._stopping.wait(next(pauses))

    def _follow(self) -> Iterator[Line]:
        asked = {"draining": "1"} if self._is_draining else None
        with self._http.stream("GET", f"{self._where()}/api/v1/seat", params=asked) as answer:
            if answer.status_code != 200:
                answer.read()
                self._refuse(answer)
            for text in answer.iter_lines():
                if self._stopping.is_set():
                    return
                if text:
                    line = json.loads(text)
                    if line["type"] == "hello":
                        self.hello = line
                    yield line

    def answer(self, id: str, action: str, note: str = "") -> Outcome:
        """Send an answer until the server has it, or has said why not."""
        pauses = pausing()
        body = {"action": action, **({"note": note} if note else {})}
        while True:
            with suppress(httpx.HTTPError, OSError):
                url = f"{self._where()}/api/v1/decisions/{id}/answer"
                said = self._http.post(url, json=body)
                if said.status_code == 200:
                    return Outcome(True)
                if said.status_code in FATAL or said.status_code == 409:
                    problem = _problem(said)
                    return Outcome(False, problem.get("code", ""), problem.get("detail", ""))
                if said.status_code == 429:
                    time.sleep(float(_problem(said).get("seconds", 1)))
            if self._stopping.wait(next(pauses)):
                return Outcome(False, "stopped", "The connection was closed first.")

    def _where(self) -> str:
        """Seats may be at another port of the server; the token goes to no other host."""
        if self._base:
            return self._base
        # Without the token: whoever answers here may send us elsewhere.
        with httpx.stream("GET", f"{self._server}/api/v1/seat", timeout=TIMEOUT) as answer:
            target = answer.headers.get("location", "")
            is_elsewhere = answer.status_code in (307, 308)
            if not is_elsewhere and answer.status_code != 401:
                answer.read()
                self._refuse(answer)
        if not is_elsewhere:
            self._base = self._server
            return self._base
        here, there = urlsplit(self._server), urlsplit(target)
        if there.hostname != here.hostname or (here.scheme, there.scheme) == ("https", "http"):
            raise Refusal(f"{self._server} sends bots to {target}, which is another host.")
        self._base = f"{there.scheme}://{there.netloc}"
        return self._base

    def _refuse(self, answer: httpx.Response) -> None:
        problem = _problem(answer)
        if answer.status_code in FATAL:
            raise Refusal(problem.get("detail") or f"{self._server} has no seats for bots.")
        if answer.status_code == 429:
            self._stopping.wait(float(problem.get("seconds", 1)))
        raise httpx.HTTPError(f"status {answer.status_code}")


def pausing() -> Iterator[float]:
    """Seconds before each new try: doubled each time, and never the same for all clients."""
    pause = FIRST_PAUSE_S
    while True:
        yield pause * random.uniform(0.5, 1.5)
        pause = min(LONGEST_PAUSE_S, pause * 2)


def _problem(answer: httpx.Response) -> Line:
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
