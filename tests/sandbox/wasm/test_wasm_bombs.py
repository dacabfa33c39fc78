"""Modules that burn in bulk, trick the engine at their start or explode in its compiler."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine.game import Limits
from engine.match import Answer, Fault, Question
from sandbox import languages
from sandbox.languages import WEBASSEMBLY
from sandbox.player import JailedPlayer
from sandbox.pool import Pool
from sandbox.table import Tablemates
from tests.sandbox.wat import assembled, bot

Seated = Callable[..., JailedPlayer]

pytestmark = pytest.mark.jail

TABLE = "(table $t 1 funcref) (elem $e func $byte)"
BURNING = {
    "fill": "(memory.fill (i32.const 0) (i32.const 7) (i32.const 262144))",
    "copy": "(memory.copy (i32.const 0) (i32.const 65536) (i32.const 196608))",
    "init": '(memory.init $d (i32.const 500) (i32.const 0) (i32.const 64))',
    "nothing at all": "(memory.fill (i32.const 0) (i32.const 0) (i32.const 0))",
    "growing by nothing": "(drop (memory.grow (i32.const 0)))",
    "growing in vain": "(drop (memory.grow (i32.const 65535)))",
    "table fill": "(table.fill $t (i32.const 0) (ref.null func) (i32.const 1))",
    "table growing": "(drop (table.grow $t (ref.null func) (i32.const 60000)))",
    "table init": "(table.init $t $e (i32.const 0) (i32.const 0) (i32.const 1))",
}  # fmt: skip


@pytest.mark.parametrize("name", BURNING)
def test_burning_in_bulk_runs_out_of_fuel_or_time(
    seated: Seated, asked: Question, name: str
) -> None:
    parts = TABLE + f'(data $d "{"x" * 64}")'
    player = seated(bot(parts=parts, think=f"(loop {BURNING[name]} (br 0))"), bank_ms=100)

    reply = player.decide(asked)
    player.close()

    assert isinstance(reply, Fault), reply
    assert reply.kind == "timeout"
    assert player.peak_memory_mb < 256


def test_a_table_grows_no_further_than_it_may(seated: Seated, asked: Question) -> None:
    grow = "(table.grow $t (ref.null func) (i32.const 65536))"
    player = seated(bot(parts=TABLE, think=f"(loop (br_if 0 (i32.ne {grow} (i32.const -1))))"))

    reply = player.decide(asked)
    player.close()

    assert isinstance(reply, Answer), reply
    assert player.peak_memory_mb < 128


AT_THE_START = {
    "trap": ("unreachable", "crash"),
    "recursion": ("(call $first)", "crash"),
    "loop": ("(loop (br 0))", "timeout"),
    "all memory and a loop": ("(drop (memory.grow (i32.const 3000))) (loop (br 0))", "timeout"),
    "an answer nobody asked for": (
        "(call $say (i32.const 1) (i32.const 200) (i32.const 12))", "protocol"),
    "a flood": (
        "(loop (call $say (i32.const 2) (i32.const 0) (i32.const 65536)) (br 0))", "output"),
}  # fmt: skip


@pytest.mark.parametrize("name", AT_THE_START)
def test_a_start_function_has_the_limits_of_loading(
    seated: Seated, asked: Question, name: str
) -> None:
    act, kind = AT_THE_START[name]
    program = bot(parts=f"(func $first {act}) (start $first)")

    reply = seated(program, start_cpu_ms=400).decide(asked)

    assert isinstance(reply, Fault), reply
    assert reply.kind == kind


def test_a_start_function_that_takes_the_first_line_harms_nobody_else(
    seated: Seated, asked: Question
) -> None:
    takes = """(func $first
      (i32.store (i32.const 0) (i32.const 65536)) (i32.store (i32.const 4) (i32.const 131072))
      (drop (call $read (i32.const 0) (i32.const 0) (i32.const 1) (i32.const 8))))"""

    assert isinstance(seated(bot(parts=f"{takes} (start $first)")).decide(asked), Answer)


@pytest.mark.parametrize(
    "parts",
    [
        "(table 1 funcref)" * 5,
        "(table 4000000000 funcref)",
        '(data (i32.const 262140) "past the end")',
        "(table 1 funcref) (elem (i32.const 1) func $byte)",
    ],
)
def test_more_tables_or_data_than_there_is_room_for_do_not_load(
    seated: Seated, asked: Question, parts: str
) -> None:
    reply = seated(bot(parts=parts)).decide(asked)

    assert isinstance(reply, Fault), reply
    assert reply.kind == "crash"


def everywhere(targets: int) -> str:
    """Jumps to everywhere: it compiles in time that grows with the square of its size."""
    depths = " ".join(str(depth) for depth in range(targets))
    jumps = f"(if (local.get 0) (then (br_table {depths} (local.get 0))))" * 40
    return f"(func (param i32) {'(block ' * targets}{jumps}{')' * targets})"


BOMBS = {
    "jumps": everywhere(400),
    "functions": "(func (param f64) (result f64) (f64.sqrt (local.get 0)))" * 20_000,
    "one long function": "(func (param i64) (result i64) (local.get 0)"
    + "(i64.mul (local.get 0)) (i64.rotl (local.get 0))" * 30_000 + ")",
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_a_module_that_is_slow_to_compile_is_refused(
    seated: Seated, asked: Question, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    hurried = replace(WEBASSEMBLY, compile_cpu_ms=60)
    monkeypatch.setitem(languages.BY_SUFFIX, ".wasm", hurried)

    reply = seated(bot(parts=BOMBS[name])).decide(asked)

    assert isinstance(reply, Fault)
    assert reply.kind == "timeout"


def test_a_worker_sends_its_beat_while_a_module_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    hurried = replace(WEBASSEMBLY, compile_cpu_ms=100)
    monkeypatch.setitem(languages.BY_SUFFIX, ".wasm", hurried)
    beats: list[None] = []
    with Pool() as pool:
        code = pool.code(
            bot(parts=BOMBS["jumps"]), Limits(), Tablemates(lambda: beats.append(None))
        )

    assert isinstance(code, Fault)
    assert len(beats) > 1


def test_compiled_code_that_is_too_large_is_refused(
    seated: Seated, asked: Question, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(WEBASSEMBLY, largest_code=4096)
    monkeypatch.setitem(languages.BY_SUFFIX, ".wasm", small)

    reply = seated(assembled('(module (memory (export "memory") 1) (func (export "_start")))'))

    assert isinstance(reply.decide(asked), Fault)


def test_an_empty_loop_ends_by_its_fuel(seated: Seated, asked: Question) -> None:
    reply = seated(bot(think="(loop (br 0))"), bank_ms=200).decide(asked)

    assert isinstance(reply, Fault), reply
    assert "ran out of fuel" in reply.sentence


SLOW = """(local $left i32) (local.set $left (i32.const 12000000))
  (loop (drop (memory.grow (i32.const 65535)))
    (br_if 0 (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))"""


def test_a_bot_with_fuel_left_plays_on_a_third_of_a_core(seated: Seated, asked: Question) -> None:
    """Two others burn on the one core that it may use."""
    core = min(os.sched_getaffinity(0))
    pinned = f"import os\nos.sched_setaffinity(0, {{{core}}})\nwhile True: pass"
    burners = [subprocess.Popen([sys.executable, "-c", pinned]) for _ in range(2)]
    try:
        player = seated(bot(think=SLOW), bank_ms=200, wall_extra_ms=0)
        assert player._process is not None
        os.sched_setaffinity(player._process.pid, {core})
        reply = player.decide(asked)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()

    assert isinstance(reply, Answer), reply
