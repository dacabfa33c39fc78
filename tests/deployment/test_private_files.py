"""`make run` keeps what it stores from other users of the machine."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from ladder import serve


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "var"
    monkeypatch.setenv("LADLE_VAR", str(folder))
    return folder


def test_only_the_owner_can_look_into_var(var: Path) -> None:
    serve.prepare_environment("127.0.0.1", 8000)

    assert mode(var) == 0o700  # so nobody else reaches what lies below, whatever its own mode


def test_a_folder_of_an_earlier_release_is_closed(var: Path) -> None:
    var.mkdir(mode=0o755)
    var.chmod(0o755)

    serve.prepare_environment("127.0.0.1", 8000)

    assert mode(var) == 0o700
