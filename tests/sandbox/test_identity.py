"""As root: a plain user on one thread, for a while."""

import os
import subprocess
import threading
from pathlib import Path

import pytest

from sandbox.identity import plain_user

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root has ids to give up")


def ids(status: str) -> dict[str, list[str]]:
    """The user ids (real, effective, saved, of files), group ids, groups and capabilities."""
    rows = (line.split(":") for line in status.splitlines())
    told = {name: value.split() for name, value in rows if name.endswith(("id", "Groups", "Prm"))}
    return {name: told[name] for name in ("Uid", "Gid", "Groups", "CapPrm")}


def own_ids() -> dict[str, list[str]]:
    return ids(Path("/proc/thread-self/status").read_text())


def test_a_child_has_no_id_group_or_capability_of_roots() -> None:
    with plain_user():
        child = subprocess.run(
            ["cat", "/proc/self/status"], capture_output=True, text=True, check=True
        )
    told = ids(child.stdout)
    assert told["Uid"] == told["Gid"] == [told["Uid"][0]] * 4
    assert 60706 <= int(told["Uid"][0]) < 61184
    assert told["Groups"] == []
    assert int(told["CapPrm"][0], 16) == 0


def test_afterwards_the_thread_is_what_it_was_even_after_an_error() -> None:
    before = own_ids()
    with pytest.raises(ZeroDivisionError), plain_user():
        assert own_ids() != before
        _ = 1 / 0
    assert own_ids() == before


def test_other_threads_stay_who_they_are() -> None:
    before = own_ids()
    seen = []
    go, done = threading.Event(), threading.Event()

    def other() -> None:
        go.wait(10)
        seen.append(own_ids())
        done.set()

    thread = threading.Thread(target=other)
    thread.start()
    with plain_user():
        go.set()
        done.wait(10)
    thread.join()
    assert seen == [before]
