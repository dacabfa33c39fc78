"""What a machine without a sandbox is told: one sentence, and no match is played."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox import available
from sandbox.errors import SandboxError
from sandbox.runtime import ready
from sandbox.spawn import Zygote


@pytest.fixture(autouse=True)
def forget() -> None:
    available._trial.cache_clear()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user can reach: root tries bubblewrap as a plain one."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.jail
def test_nothing_is_missing_where_the_jail_works() -> None:
    assert available.missing() is None


def test_without_bubblewrap_the_sentence_names_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))

    sentence = available.missing()

    assert sentence is not None
    assert "install the package `bubblewrap`" in sentence


def test_without_bubblewrap_no_bot_is_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trees = ready()
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxError, match="bubblewrap"):
        Zygote(trees)


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("bwrap: No permissions to create new namespace", "user.max_user_namespaces"),
        ("bwrap: Unknown option --clearenv", "too old"),
    ],
)
def test_a_jail_that_cannot_be_made_is_explained(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch, said: str, advice: str
) -> None:
    fake = open_folder / "bwrap"
    fake.write_text(f"#!/bin/sh\necho '{said}' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{open_folder}:/usr/bin:/bin")

    sentence = available.missing()

    assert sentence is not None
    assert advice in sentence


def test_a_failure_that_passes_is_not_remembered(
    open_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = open_folder / "bwrap"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{open_folder}:/usr/bin:/bin")
    before = available.missing()

    fake.write_text("#!/bin/sh\nexit 0\n")

    assert before is not None
    assert available.missing() is None
