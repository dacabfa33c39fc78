"""All that a jail can name lies in memory, and nobody else can change it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from sandbox import place
from sandbox.errors import SandboxError
from sandbox.languages import PYTHON
from sandbox.pool import Pool
from sandbox.runtime import ready
from tests.sandbox.test_hostile import IDENTITIES, PLAIN_USER, readable_by_all

# Prints one line for each mount that a bot in a bundle's jail can see: its place and its kind.
LISTS_MOUNTS = """
import sys
from pathlib import Path
from sandbox.languages import PYTHON
from sandbox.pool import Pool
from sandbox.program import bundle

folder = bundle.tree(bundle.Bundle("bot.py", {"bot.py": b"1"}), Path(sys.argv[1]) / "bundles")
from sandbox.place import place
assert place() == Path(sys.argv[1]), place()
with Pool() as pool, pool.take(PYTHON, memory_mb=64, folder=folder) as process:
    for line in Path(f"/proc/{process.pid}/mountinfo").read_text().splitlines():
        words = line.split()
        print(words[4], words[words.index("-") + 1])
"""


@pytest.mark.jail
@pytest.mark.parametrize("identity", IDENTITIES)
def test_every_mount_of_a_jail_lies_in_memory(identity: str) -> None:
    is_plain = os.geteuid() == 0 and "plain" in identity
    user = PLAIN_USER if is_plain else os.geteuid()
    base = ready().base  # its interpreter and its numpy can be read by every user
    with readable_by_all() as folder:
        listed = subprocess.run(
            [base / "python/bin/python3", "-c", LISTS_MOUNTS, f"/dev/shm/ladle-{user}"],
            env={
                "PATH": os.environ["PATH"],
                "PYTHONPATH": f"{folder}:{base / 'site'}",
                "LD_LIBRARY_PATH": str(base / "lib"),
            },
            capture_output=True,
            text=True,
            cwd="/",
            check=False,
            **({"user": user, "group": user, "extra_groups": []} if is_plain else {}),
        )
    if is_plain:
        subprocess.run(["rm", "-rf", f"/dev/shm/ladle-{PLAIN_USER}"], check=True)
    assert listed.returncode == 0, listed.stderr
    mounts = dict(line.split() for line in listed.stdout.splitlines())

    assert set(mounts) == {"/", "/ladle", "/bot", "/dev/null"}
    assert set(mounts.values()) <= {"tmpfs", "devtmpfs"}


def test_a_disk_is_told_from_memory(tmp_path: Path) -> None:
    assert place.is_in_memory(Path("/dev/shm"))
    assert place.is_in_memory(Path("/dev/shm/not/yet/there"))
    assert not place.is_in_memory(Path("/proc"))


def test_the_runtime_lies_in_memory_unless_asked_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LADLE_RUNTIME", raising=False)
    assert place.is_in_memory(place.place())
    assert place.problem() == ""

    monkeypatch.setenv("LADLE_RUNTIME", "/some/where")
    assert place.place() == Path("/some/where")
    assert "plays are not independent" in place.problem()


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in memory that this machine has."""
    monkeypatch.delenv("LADLE_RUNTIME", raising=False)
    monkeypatch.setattr(place, "_memory_folders", lambda: iter([tmp_path]))
    monkeypatch.setattr(place, "is_in_memory", lambda path: path.is_relative_to(tmp_path))
    return tmp_path / f"ladle-{os.geteuid()}"


def test_a_folder_is_used_once_it_is_ours_and_there_is_room(memory: Path) -> None:
    assert place.place() == memory


def test_a_folder_without_room_is_named(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(place, "ROOM_MB", 2**40)

    assert not place.place().is_relative_to(memory.parent)
    assert f"{memory.parent} has" in place.problem()

    memory.mkdir()  # it was filled by us, so it stays ours
    assert place.place() == memory


@pytest.mark.parametrize("trap", ["link", "open to all"])
def test_a_folder_that_others_can_change_is_not_used(memory: Path, trap: str) -> None:
    if trap == "link":
        elsewhere = memory.parent / "elsewhere"
        elsewhere.mkdir()
        memory.symlink_to(elsewhere)
    else:
        memory.mkdir()
        memory.chmod(0o777)

    assert place.place() != memory
    assert "other users can change" in place.problem()
    with pytest.raises(SandboxError, match="other users can change"):
        place.make(memory)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_folder_of_another_user_is_not_used(memory: Path) -> None:
    memory.mkdir(mode=0o755)
    os.chown(memory, PLAIN_USER, PLAIN_USER)

    assert place.place() != memory


@pytest.mark.jail
def test_a_runtime_that_vanished_is_built_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder = Path(f"/dev/shm/ladle-test-{os.getpid()}")
    monkeypatch.setenv("LADLE_RUNTIME", str(folder))
    try:
        with Pool() as pool:
            subprocess.run(["rm", "-rf", *folder.iterdir()], check=True)
            with pool.take(PYTHON, memory_mb=64) as process:
                assert process.alive
    finally:
        subprocess.run(["rm", "-rf", folder], check=True)
