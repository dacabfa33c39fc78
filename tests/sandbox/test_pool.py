from __future__ import annotations

import os

import pytest

from engine.game import Limits
from sandbox.languages import PYTHON
from sandbox.pool import Pool

pytestmark = pytest.mark.jail

FIRST = 'def decide(view):\n    return view["legal"][0]\n'


def test_a_warm_sandbox_is_the_one_handed_out() -> None:
    with Pool(size=1) as pool:
        pool.warm(PYTHON, memory_mb=64)
        (waiting,) = pool.waiting()
        with pool.take(PYTHON, memory_mb=64) as taken:
            assert taken.pid == waiting


def test_a_sandbox_is_never_handed_out_twice() -> None:
    with Pool(size=2) as pool:
        pool.warm(PYTHON, memory_mb=64)
        with pool.take(PYTHON, memory_mb=64) as one, pool.take(PYTHON, memory_mb=64) as two:
            pool.warm(PYTHON, memory_mb=64)
            assert one.pid != two.pid
            assert not {one.pid, two.pid} & set(pool.waiting())


def test_a_warm_sandbox_loads_a_bot() -> None:
    with Pool(size=1) as pool:
        pool.warm(PYTHON, memory_mb=64)
        with pool.take(PYTHON, memory_mb=64) as process:
            fault = process.load(FIRST, filename="bot.py", game="g", limits=Limits())

    assert fault is None


def test_a_sandbox_of_another_memory_limit_is_not_handed_out() -> None:
    with Pool(size=1) as pool:
        pool.warm(PYTHON, memory_mb=64)
        waiting = pool.waiting()
        with pool.take(PYTHON, memory_mb=128) as taken:
            assert taken.pid not in waiting


def test_closing_the_pool_ends_what_waits() -> None:
    pool = Pool(size=2)
    pool.warm(PYTHON, memory_mb=64)
    waiting = pool.waiting()

    pool.close()

    for pid in waiting:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_forked_worker_leaves_its_parents_sandboxes_alone() -> None:
    with Pool(size=1) as pool:
        pool.warm(PYTHON, memory_mb=64)
        before = pool.waiting()
        child = os.fork()
        if child == 0:
            pool.close()
            os._exit(len(pool.waiting()))
        _, status = os.waitpid(child, 0)

        assert os.waitstatus_to_exitcode(status) == 0
        with pool.take(PYTHON, memory_mb=64) as taken:
            assert [taken.pid] == before
            assert taken.load(FIRST, filename="b.py", game="g", limits=Limits()) is None
