from __future__ import annotations

from pathlib import Path
from resource import RLIMIT_CORE, RLIMIT_DATA, RLIMIT_FSIZE, RLIMIT_MEMLOCK

from sandbox import jail
from sandbox.languages import JAVASCRIPT, PYTHON
from sandbox.runtime import Runtime

TREES = Runtime(Path("/trees/base"), Path("/trees/code"))


def command() -> list[str]:
    return jail.command(TREES, bwrap="/usr/bin/bwrap", seccomp_fd=7)


def test_the_root_is_the_runtime_and_nothing_in_it_can_be_written() -> None:
    words = command()

    assert words[words.index("/trees/base") - 1 : words.index("/trees/base") + 2] == [
        "--ro-bind",
        "/trees/base",
        "/",
    ]
    assert not {"--bind", "--tmpfs", "--proc", "--dev", "--share-net"} & set(words)


def test_the_environment_is_cleared_before_anything_is_set() -> None:
    words = command()

    assert words.index("--clearenv") < words.index("--setenv")


def test_the_command_inside_comes_after_all_options() -> None:
    words = command()

    inside = words[words.index("--") + 1 :]
    assert inside[:6] == ["/python/bin/python3", "-P", "-s", "-S", "-B", "-u"]


def test_no_right_is_left_but_those_that_a_fork_needs() -> None:
    words = command()

    given = [words[at + 1] for at, word in enumerate(words) if word == "--cap-add"]
    assert words.index("--cap-drop") < words.index("--cap-add")
    assert given == ["CAP_SYS_ADMIN", "CAP_SETPCAP"]


def test_nothing_of_the_kernels_settings_is_written() -> None:
    assert "--disable-userns" not in command(), "Docker mounts /proc/sys read-only"


def test_only_node_is_told_its_heap_size() -> None:
    node = jail.inside(JAVASCRIPT, memory_mb=256, shim=JAVASCRIPT.jailed_shim)
    python = jail.inside(PYTHON, memory_mb=256, shim=PYTHON.jailed_shim)

    assert "--max-old-space-size=192" in node
    assert not any("max-old-space" in word for word in python)


def test_memory_is_limited_by_the_game_and_nothing_may_be_written() -> None:
    limits = jail.resource_limits(PYTHON, memory_mb=100)

    assert limits[RLIMIT_DATA] == 100 * 2**20
    assert limits[RLIMIT_FSIZE] == limits[RLIMIT_CORE] == limits[RLIMIT_MEMLOCK] == 0
