from __future__ import annotations

from pathlib import Path

from sandbox import jail
from sandbox.languages import NODE, PYTHON
from sandbox.runtime import Runtime

TREES = Runtime(Path("/trees/base"), Path("/trees/code"))


def command(language=PYTHON, **changes: int) -> list[str]:
    numbers = {"memory_mb": 256, "seccomp_fd": 7, "info_fd": 8, "block_fd": 9} | changes
    return jail.command(language, TREES, bwrap="/usr/bin/bwrap", **numbers)


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
    assert inside[:5] == ["/python/bin/python3", "-I", "-S", "-B", "-u"]


def test_only_node_is_told_its_heap_size() -> None:
    assert "--max-old-space-size=192" in command(NODE)
    assert not any("max-old-space" in word for word in command(PYTHON))


def test_memory_is_limited_by_the_game_and_nothing_may_be_written() -> None:
    limits = jail.resource_limits(PYTHON, memory_mb=100)

    assert limits["data"] == 100 * 2**20
    assert limits["fsize"] == limits["core"] == limits["memlock"] == 0
