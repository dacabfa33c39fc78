"""Bots that try to know in one play what they saw in another: none may.

Each leaves a note wherever it can and answers REMEMBERED when it finds one.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine import games
from engine.game import Limits, Result
from engine.match import Answer, Question
from sandbox.languages import JAVASCRIPT, of_file
from sandbox.place import is_in_memory
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import script
from sandbox.runtime import build

pytestmark = pytest.mark.jail

GAME = games.get("ramen_ramen")
BOTS = sorted(path for path in (Path(__file__).parent / "memory").iterdir() if path.is_file())
FIRST_LINES = {path: path.read_text().splitlines()[0] for path in BOTS}
ON_A_DISK = [path for path in BOTS if "Control on a disk" in FIRST_LINES[path]]
IN_ONE_PROCESS = [path for path in BOTS if "Control" in FIRST_LINES[path] and path not in ON_A_DISK]
PLAYS = 3


@pytest.fixture(scope="module")
def pool() -> Iterator[Pool]:
    with Pool() as jails:
        yield jails


def replies(path: Path, pool: Pool, asked: Question) -> list[str]:
    """What the bot answers in play after play."""
    found = []
    with JailedPlayer(script(path.read_text(), path.name), pool=pool) as player:
        for _ in range(PLAYS):
            player.start(game=GAME, seat=0, seats=2, options={})
            reply = player.decide(asked)
            found.append(reply.action if isinstance(reply, Answer) else reply.sentence)
            player.end(Result((1, 2), (0, 0), ""))
    return found


@pytest.mark.parametrize("path", BOTS, ids=lambda path: path.name)
def test_no_play_knows_of_another(path: Path, pool: Pool, asked: Question) -> None:
    assert replies(path, pool, asked) == ["NOTED"] * PLAYS


@pytest.fixture(scope="module")
def pool_on_a_disk() -> Iterator[Pool]:
    """A runtime on a disk, where bots of every user can reach it."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        if is_in_memory(Path(name)):
            pytest.skip("this machine has no disk")
        Path(name).chmod(0o755)
        with Pool(runtime=build(Path(name) / "runtime")) as jails:
            yield jails


@pytest.mark.parametrize("path", ON_A_DISK, ids=lambda path: path.name)
def test_on_a_disk_the_same_bots_would_remember(
    path: Path, pool_on_a_disk: Pool, asked: Question
) -> None:
    assert "REMEMBERED" in replies(path, pool_on_a_disk, asked)[1:]


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
import ctypes, errno

libc = ctypes.CDLL(None, use_errno=True)
libc.sbrk.restype = ctypes.c_void_p
libc.access.argtypes = [ctypes.c_void_p, ctypes.c_int]

def is_readable(at):
    libc.access(at, 0)  # the name there names no file, but where the heap begins it is no name
    return ctypes.get_errno() != errno.EFAULT

def decide(view):
    pages, at = [], libc.sbrk(0) - 4096
    while is_readable(at):
        pages.append(ctypes.string_at(at, 4096))
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
