"""Bots in WebAssembly: a clock of fuel, nothing else to know, and every hostile one contained."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from pathlib import Path

import pytest

from engine import games
from engine.game import Limits
from engine.match import Answer, Fault, Question, play
from sandbox.gate import check
from sandbox.plain import Plain
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.program import Program, problem_with, script
from sandbox.wasm.kept_code import KeptCode
from tests.sandbox.wat import assembled, bot

GAME = games.get("ramen_ramen")
Seated = Callable[..., JailedPlayer]
LIMITS = Limits()

pytestmark = pytest.mark.jail


def wasi(name: str, *kinds: str) -> str:
    takes = f"(param {' '.join(kinds)})" if kinds else ""
    return f'(import "wasi_snapshot_preview1" "{name}" (func ${name} {takes} (result i32)))'


LOG_CLOCK = """
  (drop (call $clock_time_get (i32.const 1) (i64.const 0) (i32.const 300)))
  (drop (call $random_get (i32.const 308) (i32.const 8)))
  (call $say (i32.const 2) (i32.const 300) (i32.const 16))
"""


def test_it_plays_a_clean_game_at_the_gate() -> None:
    report = check(bot(), GAME, [2])

    assert report.ok, report.table()
    assert "WebAssembly" in report.rows[0].sentence


def spent(seed: int) -> tuple[list[int], list[str], str]:
    """The time of each decision of a play against itself, its actions, and what it was told."""
    program = bot(
        imports=wasi("clock_time_get", "i32", "i64", "i32") + wasi("random_get", "i32", "i32"),
        think="(local $n i32)" + LOG_CLOCK + COUNT,
    )
    with (
        Pool() as pool,
        JailedPlayer(program, pool=pool) as one,
        JailedPlayer(program, pool=pool) as two,
    ):
        played = play(GAME, [one, two], seed=seed)
    assert played.faults == {}
    actions = [entry["action"] for entry in played.replay.log if "action" in entry]
    return played.replay.cpu_us, actions, one.log + two.log


COUNT = """
  (loop $count
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $count (i32.ne (local.get $n) (i32.const 20000))))
"""


def burn() -> None:
    while True:
        pass


def test_time_clock_and_entropy_are_the_same_again_and_under_load() -> None:
    quiet = spent(5)
    busy = [multiprocessing.get_context("spawn").Process(target=burn) for _ in range(2)]
    for process in busy:
        process.start()
    try:
        loaded = spent(5)
    finally:
        for process in busy:
            process.kill()
            process.join()

    assert loaded == quiet
    assert min(quiet[0]) > 10, "the loop costs fuel"
    assert spent(6)[2] != quiet[2], "entropy comes from the luck of a play"


SPIN = f"(loop {'(drop (i64.add (i64.const 1) (i64.const 2)))' * 20} (br 0))"
OF_LOADING = f"(func $spin {SPIN}) (start $spin)"
DEEP = "(func $deep (param i64) (call $deep (local.get 0)) (call $deep (local.get 0)))"


@pytest.mark.parametrize(
    ("parts", "kind", "words"),
    [
        ({"think": SPIN}, "timeout", "ran out of fuel during decision 1"),
        ({"first": SPIN}, "timeout", "ran out of fuel during loading"),
        ({"parts": OF_LOADING}, "timeout", "ran out of fuel during loading"),
        ({"think": "unreachable"}, "crash", "with Trap"),
        ({"think": "(drop (i32.load (i32.const -4)))"}, "crash", "out of bounds"),
        ({"think": "(drop (i32.div_u (i32.const 1) (i32.const 0)))"}, "crash", "divide by zero"),
        ({"parts": DEEP, "think": "(call $deep (i64.const 1))"}, "crash", "stack exhausted"),
        ({"parts": "(table 10000000 funcref)"}, "crash", "table"),
        ({"most_pages": "4", "think": "(drop (memory.grow (i32.const 1))) unreachable"},
         "crash", "Trap"),
        (
            {"think": "(loop (memory.fill (i32.const 0) (i32.const 0) (i32.const 65536)) (br 0))"},
            "timeout",
            "ran out of fuel",
        ),
        (
            {"imports": wasi("sched_yield"), "think": "(loop (drop (call $sched_yield)) (br 0))"},
            "timeout",
            "ran out of fuel",
        ),
        (
            {"think": "(loop (call $say (i32.const 2) (i32.const 0) (i32.const 65536)) (br 0))"},
            "output",
            "printed over",
        ),
        (
            {"think": "(loop (call $say (i32.const 1) (i32.const 0) (i32.const 65536)) (br 0))"},
            "output",
            "an answer of over",
        ),
        (
            {"first": "(call $say (i32.const 1) (i32.const 200) (i32.const 12))"},
            "protocol",
            "exactly one line during loading",
        ),
        (
            {"last": "(call $say (i32.const 1) (i32.const 200) (i32.const 12))"},
            "protocol",
            "exactly one line during decision 1",
        ),
        ({"think": "(i32.store8 (i32.const 65559) (i32.const 120))"}, "protocol", "its id"),
        (
            {
                "imports": '(import "wasi_snapshot_preview1" "proc_exit" (func $exit (param i32)))',
                "think": "(call $exit (i32.const 88))",
            },
            "crash",
            "status 24",
        ),
        ({"imports": wasi("fd_sync", "i64")}, "crash", "fd_sync"),
    ],
)  # fmt: skip
def test_a_hostile_module_is_a_fault_of_its_own(
    seated: Seated, asked: Question, parts: dict[str, str], kind: str, words: str
) -> None:
    reply = seated(bot(**parts), bank_ms=300, start_cpu_ms=400).decide(asked)

    assert isinstance(reply, Fault)
    assert (reply.kind, words in f"{reply.sentence} {reply.detail}") == (kind, True), reply


@pytest.mark.parametrize(
    "think",
    [
        "(call $say (i32.const 1) (i32.const 0x7fffffff) (i32.const 9))",  # a pointer out of memory
        "(call $say (i32.const 2) (i32.const 262140) (i32.const 0x7fffffff))",
        "(drop (call $write (i32.const 1) (i32.const 262143) (i32.const 1) (i32.const 8)))",
        "(drop (call $write (i32.const 1) (i32.const 0) (i32.const -1) (i32.const 8)))",
        "(drop (call $read (i32.const 0) (i32.const 262143) (i32.const 1) (i32.const 8)))",
        "(drop (call $read (i32.const 3) (i32.const 0) (i32.const 1) (i32.const 8)))",
        "(loop (br_if 0 (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))",  # all it may have
    ],
)
def test_a_wild_pointer_or_a_full_memory_is_an_errno(
    seated: Seated, asked: Question, think: str
) -> None:
    player = seated(bot(think=think))

    reply = player.decide(asked)
    player.close()

    assert isinstance(reply, Answer), reply
    assert player.peak_memory_mb < 256


OPENS = """
  (drop (call $path_open (i32.const 3) (i32.const 0) (i32.const 200) (i32.const 3) (i32.const 0)
    (i64.const -1) (i64.const -1) (i32.const 0) (i32.const 320)))
  (drop (call $environ_sizes_get (i32.const 320) (i32.const 324)))
  (if (i32.load (i32.const 320)) (then unreachable))
"""


def test_files_and_the_environment_are_not_there(seated: Seated, asked: Question) -> None:
    kinds = ("i32", "i32", "i32", "i32", "i32", "i64", "i64", "i32", "i32")
    imports = wasi("path_open", *kinds) + wasi("environ_sizes_get", "i32", "i32")

    assert isinstance(seated(bot(imports=imports, think=OPENS)).decide(asked), Answer)


def test_every_stump_of_a_module_is_refused(seated: Seated, asked: Question) -> None:
    whole = bot().content
    names = whole.rindex(b"\x04name") - 2  # only for readers of a backtrace
    stumps = [Program("bot.wasm", whole[:end]) for end in range(1, names)]

    # Those that end between two sections.
    looks_whole = [stump for stump in stumps if not problem_with(stump, LIMITS)]

    assert 0 < len(looks_whole) < 5
    for stump in looks_whole:
        reply = seated(stump).decide(asked)
        assert isinstance(reply, Fault)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"#!/bin/sh\n", "does not begin like one"),
        (b"\0asm\x0d\0\x01\0" + bytes(40), "preview 2"),
        (b"\0asm\x01\0\0\0\x02\xff\xff\xff\xff\x0f", "do not fit"),
        (b"\0asm\x01\0\0\0" + bytes(6 * 2**20), "the most is 6,291,456"),
    ],
)
def test_what_is_no_module_is_told_at_every_door(content: bytes, words: str) -> None:
    assert words in problem_with(Program("bot.wasm", content), LIMITS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('(module (import "env" "now" (func)))', "imports env.now"),
        ('(module (import "wasi_snapshot_preview1" "fly" (func)))', "preview1.fly"),
        ('(module (import "wasi_snapshot_preview1" "fd_read" (memory 1)))', "preview1.fd_read"),
        ('(module (memory (export "memory") 1))', "no function `_start`"),
        ('(module (func (export "_start")))', "no memory `memory`"),
        ('(module (table (export "memory") 1 funcref) (func (export "_start")))', "no memory"),
    ],
)  # fmt: skip
def test_a_module_that_does_not_fit_is_told_what_it_lacks(text: str, words: str) -> None:
    assert words in problem_with(assembled(text), LIMITS)


@pytest.mark.parametrize(
    "text",
    [
        '(memory i64 1) (memory (export "memory") 1)',
        '(memory (export "memory") 1 2 shared)',
        '(memory (export "memory") 65536) (data (i32.const 0) "x")',
    ],
)
def test_what_the_engine_does_not_do_is_refused_in_the_jail(
    seated: Seated, asked: Question, text: str
) -> None:
    program = assembled(f'(module {text} (func (export "_start")))')

    reply = seated(program).decide(asked)

    assert isinstance(reply, Fault)
    assert reply.sentence == "the bot's file could not be loaded"


def test_code_is_compiled_once_on_a_machine(tmp_path: Path) -> None:
    kept = KeptCode(tmp_path / "compiled", bot())

    assert kept.read() is None
    kept.write("code")

    assert KeptCode(tmp_path / "compiled", bot()).read() == "code"
    assert KeptCode(tmp_path / "compiled", bot(think="nop")).read() is None
    assert len(list((tmp_path / "compiled").iterdir())) == 1


def test_it_plays_without_a_jail_as_well() -> None:
    rival = script("def decide(view): return view['legal'][0]")
    with (
        JailedPlayer(bot(), pool=Plain()) as one,
        JailedPlayer(rival, pool=Plain()) as two,
    ):
        assert play(GAME, [one, two], seed=1).faults == {}
