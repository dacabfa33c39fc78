"""A bot that leaves handles every line that was sent to it first."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator

import httpx

from ladle.programs import Programs
from ladle.remote import Line, Seat

LATE_S = 0.3


def test_an_end_that_is_still_in_the_stream_is_handled_before_the_bot_leaves() -> None:
    seat = Seat("http://ladle.test", "ladlebot_x")
    seat._base = "http://ladle.test"
    is_draining = threading.Event()

    def stream() -> Iterator[bytes]:
        yield line({"type": "hello", "bot": 1, "name": "Far"})
        assert is_draining.wait(20)
        seat._stopping.wait(LATE_S)  # the last lines are on their way while the answer is read
        yield line({"type": "end", "play": 7, "seat": 0})
        yield line({"type": "bye", "reason": "drained"})

    def answered(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, content=stream())
        is_draining.set()
        return httpx.Response(200, json={"plays": []})

    seat._http = httpx.Client(transport=httpx.MockTransport(answered))
    told: list[Line] = []
    programs = Programs(seat, ["unused"], told.append)
    programs.drain()
    programs.run()
    assert [line["type"] for line in told] == ["hello", "end"]
    seat.close()


def line(said: Line) -> bytes:
    return json.dumps(said).encode() + b"\n"
