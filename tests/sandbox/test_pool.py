"""Jails that wait for the next play, and what they fork."""

from __future__ import annotations

import os
import select
import tracemalloc
from pathlib import Path

import pytest

from engine.game import Limits
from engine.match import Fault
from sandbox.errors import SandboxError
from sandbox.languages import JAVASCRIPT, PYTHON
from sandbox.pool import Pool
from sandbox.program import LOOKED_THROUGH, script
from sandbox.table import Tablemates

pytestmark = pytest.mark.jail

FIRST = 'def decide(view):\n    return view["legal"][0]\n'


def load(pool: Pool, source: str = FIRST) -> Fault | None:
    with pool.take(PYTHON, memory_mb=64, modules=script(source).modules) as process:
        return process.load(script(source, "bot.py"), game="g", limits=Limits())


def kill_and_wait(bubblewrap: int) -> None:
    """Kill a jail and see the end of the process in it, which dies a little after bubblewrap."""
    (inside,) = Path(f"/proc/{bubblewrap}/task/{bubblewrap}/children").read_text().split()
    pidfd = os.pidfd_open(int(inside))
    os.kill(bubblewrap, 9)
    select.select([pidfd], [], [])
    os.close(pidfd)


def test_a_jail_is_used_again_but_never_a_process() -> None:
    with Pool() as pool:
        with pool.take(PYTHON, memory_mb=64) as one:
            first = one.pid
        (jail,) = pool.idle()
        with pool.take(PYTHON, memory_mb=64) as two:
            assert two.pid != first
            assert pool.idle() == []
        assert pool.idle() == [jail]


def test_two_bots_at_a_time_have_a_jail_each() -> None:
    with Pool() as pool:
        with pool.take(PYTHON, memory_mb=64), pool.take(JAVASCRIPT, memory_mb=64):
            pass

        assert len({jail.pid for jail in pool.idle()}) == 2


def test_jails_that_are_prepared_are_those_that_bots_get() -> None:
    bot = script(FIRST, "bot.py")
    with Pool() as pool:
        pool.prepare([bot, bot])
        jails = pool.idle()
        pool.prepare([bot, bot])
        assert pool.idle() == jails

        assert load(pool) is None
        with pool.take(PYTHON, memory_mb=64, modules=bot.modules):
            assert len(pool.idle()) == 1

        assert {jail.pid for jail in pool.idle()} == {jail.pid for jail in jails}
        assert len(jails) == 2


@pytest.mark.parametrize("large", ["numpy", "engine.games.ramen_ramen", "dataclasses"])
def test_what_is_large_is_loaded_for_bots_that_import_it_and_for_no_others(large: str) -> None:
    finds_it = f"import sys\nassert {large!r} in sys.modules\n{FIRST}"
    with Pool() as pool:
        assert load(pool, f"{finds_it}\n    import math, {large}") is None
        assert load(pool, finds_it) is not None


@pytest.mark.parametrize(
    "line",
    [
        "import numpy",
        "import math, json as j, numpy as np",
        "from numpy.linalg import norm",
        "try: import numpy",
        "x = 1; import numpy\r",
    ],
)
def test_an_import_is_found_however_it_is_written(line: str) -> None:
    assert "numpy" in script(f"# a bot\n    {line}\n{FIRST}").modules


@pytest.mark.parametrize(
    "text", ["import " * 100_000, "import " + "a, " * 300_000, "import " + "ж " * 500_000]
)
def test_looking_for_imports_takes_little_memory_and_finds_none_in_noise(text: str) -> None:
    program = script(text)
    tracemalloc.start()
    try:
        assert program.modules == ()
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 2 * LOOKED_THROUGH + len(program.content)  # a copy, and the part that is read


def test_closing_the_pool_ends_what_waits() -> None:
    pool = Pool()
    load(pool)
    (jail,) = pool.idle()

    pool.close()

    assert not Path(f"/proc/{jail.pid}").exists()


def test_a_jail_in_use_ends_with_its_bot_once_the_pool_is_closed() -> None:
    pool = Pool()
    process = pool.take(PYTHON, memory_mb=64)

    pool.close()
    process.close()

    assert pool.idle() == []


def test_a_jail_that_died_is_our_failure_and_the_next_one_works() -> None:
    with Pool() as pool:
        load(pool)
        (jail,) = pool.idle()
        kill_and_wait(jail.pid)

        with pytest.raises(SandboxError, match="does not answer"):
            load(pool)
        assert load(pool) is None


def test_a_forked_worker_leaves_its_parents_jails_alone() -> None:
    with Pool() as pool:
        load(pool)
        before = pool.idle()
        child = os.fork()
        if child == 0:
            pool.close()
            os._exit(len(pool.idle()))
        _, status = os.waitpid(child, 0)

        assert os.waitstatus_to_exitcode(status) == 0
        assert load(pool) is None
        assert pool.idle() == before


def test_a_file_is_compiled_once_and_never_run_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with Pool() as pool:
        code = pool.code(script("1 / 0\n" + FIRST), Limits(), Tablemates())
        monkeypatch.setattr(pool, "take", None)

        assert isinstance(code, str)
        assert pool.code(script("1 / 0\n" + FIRST), Limits(), Tablemates()) == code


def test_compiled_code_takes_a_bounded_share_of_a_workers_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sources = [f"A = {number}\n{FIRST}" for number in range(4)]
    with Pool() as pool:
        first = pool.code(script(sources[0]), Limits(), Tablemates())
        assert isinstance(first, str)
        monkeypatch.setattr("sandbox.pool.CODES_HELD", 2 * len(first) + 20)
        for source in sources:
            pool.code(script(source), Limits(), Tablemates())

        monkeypatch.setattr(pool, "take", None)  # nothing can be compiled any more
        for source in sources[2:]:
            assert isinstance(pool.code(script(source), Limits(), Tablemates()), str)
        with pytest.raises(TypeError):
            pool.code(script(sources[0]), Limits(), Tablemates())


def test_a_file_that_cannot_be_compiled_is_at_fault() -> None:
    with Pool() as pool:
        code = pool.code(script("def decide(view:\n"), Limits(), Tablemates())

    assert isinstance(code, Fault)
    assert "line 1" in code.detail
