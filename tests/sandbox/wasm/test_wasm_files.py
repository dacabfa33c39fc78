"""Bundles with a module: it reads the files beside it by WASI, nothing else, and changes none."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine import games
from engine.game import Limits
from engine.match import Answer, Question, play
from sandbox.gate import check
from sandbox.plain import Plain
from sandbox.player import JailedPlayer
from sandbox.pool import Launcher, Pool
from sandbox.program import Program, problem_with
from tests.sandbox.archives import ordinary
from tests.sandbox.wat import bot

GAME = games.get("ramen_ramen")
WORD = b"dashi"
WRITE, CREATE = 1 << 6, 1
Seated = Callable[..., JailedPlayer]

pytestmark = pytest.mark.jail

IMPORTS = """
(import "wasi_snapshot_preview1" "path_open"
  (func $open (param i32 i32 i32 i32 i32 i64 i64 i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "fd_seek" (func $seek (param i32 i64 i32 i32) (result i32)))
(import "wasi_snapshot_preview1" "fd_close" (func $close (param i32) (result i32)))
"""
SAY_NUMBER = """
(func $say_number (param i32)
  (i32.store8 (i32.const 340) (local.get 0))
  (call $say (i32.const 2) (i32.const 340) (i32.const 1)))
"""
# Logs what the file holds from its third letter on.
READ = """
(i32.store (i32.const 0) (i32.const 344))
(i32.store (i32.const 4) (i32.const 32))
(drop (call $seek (i32.load (i32.const 320)) (i64.const -3) (i32.const 2) (i32.const 328)))
(drop (call $read (i32.load (i32.const 320)) (i32.const 0) (i32.const 1) (i32.const 8)))
(call $say (i32.const 2) (i32.const 344) (i32.load (i32.const 8)))
(drop (call $close (i32.load (i32.const 320))))
"""


def opening(name: str, how: int = 0, rights: int = 2, size: int | None = None) -> str:
    length = len(name) if size is None else size
    return f"""(call $open (i32.const 3) (i32.const 0) (i32.const 400) (i32.const {length})
      (i32.const {how}) (i64.const {rights}) (i64.const 0) (i32.const 0) (i32.const 320))"""


def bundled(name: str, think: str) -> Program:
    """A module that has a file's name at hand, beside two files."""
    parts = SAY_NUMBER + f'(data (i32.const 400) "{name}")'
    module = bot(imports=IMPORTS, parts=parts, think=think).content
    files = {"bot.wasm": module, "data/word.txt": WORD, "notes.txt": b"x" * 100_000}
    return Program("bot.zip", ordinary(files))


def reading(name: str = "data/word.txt") -> Program:
    return bundled(name, f"(drop {opening(name)})" + READ)


def played(launcher: Launcher) -> tuple[list[int], str]:
    with (
        JailedPlayer(reading(), pool=launcher) as one,
        JailedPlayer(reading(), pool=launcher) as two,
    ):
        done = play(GAME, [one, two], seed=3)
    assert done.faults == {}
    return done.replay.cpu_us, one.log


@pytest.mark.parametrize("name", ["data/word.txt", "./data//word.txt", "/data/word.txt"])
def test_a_file_of_the_bundle_is_read(seated: Seated, asked: Question, name: str) -> None:
    player = seated(reading(name))

    reply = player.decide(asked)
    player.close()

    assert isinstance(reply, Answer), reply
    assert "shi" in player.log
    assert "dashi" not in player.log


@pytest.mark.parametrize(
    ("name", "how", "rights", "errno"),
    [
        ("none.txt", 0, 2, 44),
        ("data", 0, 2, 44),
        ("/etc/passwd", 0, 2, 44),
        ("../bot/notes.txt", 0, 2, 76),
        ("data/../../ladle/sandbox/shim.py", 0, 2, 76),
        ("notes.txt", 0, WRITE, 69),
        ("new.txt", CREATE, 2, 69),
        ("notes.txt", 8, 2, 69),  # truncate
    ],
)
def test_nothing_else_is_there_and_nothing_can_be_changed(
    seated: Seated, asked: Question, name: str, how: int, rights: int, errno: int
) -> None:
    player = seated(bundled(name, f"(call $say_number {opening(name, how, rights)})"))

    reply = player.decide(asked)
    player.close()

    assert isinstance(reply, Answer), reply
    assert player.log == chr(errno)


def test_a_wild_name_or_too_many_open_files_is_an_errno(seated: Seated, asked: Question) -> None:
    wild = opening("x", size=2**31 - 1)
    many = f"""(local $n i32)
      (loop (br_if 0 (i32.eqz (local.tee $n {opening("notes.txt")}))))
      (call $say_number (local.get $n))"""
    player, other = seated(bundled("x", f"(drop {wild})")), seated(bundled("notes.txt", many))

    assert isinstance(player.decide(asked), Answer)
    assert isinstance(other.decide(asked), Answer)
    other.close()
    assert other.log == chr(33)


def test_its_fuel_is_the_same_again_with_and_without_a_jail() -> None:
    with Pool() as pool:
        first, log = played(pool)
        again, _ = played(pool)

    assert first == again == played(Plain())[0]
    assert "shi" in log


def test_the_gate_takes_it_within_the_limits_of_the_game() -> None:
    report = check(reading(), GAME, [2])

    assert report.ok, report.table()
    assert "bytes unpacked; the most is 50,000" in problem_with(
        reading(), Limits(bundle_bytes=50_000)
    )
    assert "the most is 2" in problem_with(reading(), Limits(bundle_files=2))


def test_the_module_of_a_bundle_is_judged_like_one_that_comes_alone() -> None:
    component = ordinary({"bot.wasm": b"\0asm\x0d\0\x01\0" + bytes(40)})

    assert "preview 2" in problem_with(Program("bot.zip", component), Limits())
