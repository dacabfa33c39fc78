"""Bots that try to know in one play what they saw in another: none may.

Each leaves a note wherever it can and answers REMEMBERED when it finds one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import games
from engine.game import Limits, Result
from engine.match import Answer, Question
from sandbox.languages import JAVASCRIPT, of_file
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import script

pytestmark = pytest.mark.jail

GAME = games.get("ramen_ramen")
BOTS = sorted(path for path in (Path(__file__).parent / "memory").iterdir() if path.is_file())
IN_ONE_PROCESS = [path for path in BOTS if "Control" in path.read_text().splitlines()[0]]
PLAYS = 3


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as jails:
        yield jails


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.name)
def test_no_play_knows_of_another(path: Path, pool: Pool, asked: Question) -> None:
    with JailedPlayer(script(path.read_text(), path.name), pool=pool) as player:
        found = []
        for _ in range(PLAYS):
            player.start(game=GAME, seat=0, seats=2, options={})
            found.append(player.decide(asked))
            player.end(Result((1, 2), (0, 0), ""))

    assert all(isinstance(reply, Answer) and reply.action == "NOTED" for reply in found), found


@pytest.mark.parametrize("path", IN_ONE_PROCESS, ids=lambda path: path.name)
def test_in_one_process_the_same_bots_would_remember(path: Path, pool: Pool) -> None:
    with pool.take(of_file(path.name), memory_mb=256) as process:
        source = path.read_text()
        assert process.load(script(source, path.name), game="", limits=Limits()) is None
        question = json.dumps({"type": "decide", "id": "7", "view": {}}).encode() + b"\n"
        replies = [
            process.ask(question, what="a test", cpu_until=2**62, wall_ns=20 * 10**9)
            for _ in range(2)
        ]

    assert b"NOTED" in bytes(replies[0])
    assert b"REMEMBERED" in bytes(replies[1])


def test_two_seats_of_one_bot_share_nothing(pool: Pool, asked: Question) -> None:
    source = (Path(__file__).parent / "memory/modules.py").read_text()
    with (
        JailedPlayer(script(source, "bot.py"), pool=pool) as one,
        JailedPlayer(script(source, "bot.py"), pool=pool) as two,
    ):
        found = []
        for player in (one, two):
            player.start(game=GAME, seat=0, seats=2, options={})
            found.append(player.decide(asked))

    assert all(isinstance(reply, Answer) and reply.action == "NOTED" for reply in found), found


LOOKS_AROUND = """
import ctypes, os

libc = ctypes.CDLL(None)
libc.sbrk.restype = ctypes.c_void_p
libc.write.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]

def decide(view):
    source, sink = os.pipe()
    pages, at = [], libc.sbrk(0) - 4096
    while libc.write(sink, at, 4096) == 4096:  # which fails where the heap begins
        pages.append(os.read(source, 4096))
        at -= 4096
    heap = b"".join(reversed(pages))
    assert len(heap) > 2**19
    return "TOLD" if b"max-old" + b"-space" in heap else "NOTHING"
"""


def test_a_jail_tells_nothing_of_the_language_that_it_held_before(asked: Question) -> None:
    with Pool() as pool:
        with pool.take(JAVASCRIPT, memory_mb=64):
            pass
        with JailedPlayer(script(LOOKS_AROUND), pool=pool) as player:
            player.start(game=GAME, seat=0, seats=2, options={})
            reply = player.decide(asked)
        assert len(pool.idle()) == 1

    assert isinstance(reply, Answer), reply
    assert reply.action == "NOTHING"
