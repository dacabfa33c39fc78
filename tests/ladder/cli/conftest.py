"""The real command, run in this process, in a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ladder.cli import main

PROJECT = Path(__file__).parents[3]


@dataclass(frozen=True)
class Run:
    code: int
    out: str
    err: str


@pytest.fixture
def project() -> Path:
    return PROJECT


@pytest.fixture
def ladle(monkeypatch, capsys, tmp_path) -> Callable[..., Run]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")

    def run(*words: object) -> Run:
        monkeypatch.setattr(sys, "argv", ["ladle", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as stop:
            main()
        out, err = capsys.readouterr()
        return Run(stop.value.code or 0, out, err)

    return run


@pytest.fixture
def refused(ladle) -> Callable[..., str]:
    """Run a command that must fail with one sentence on stderr and nothing else; the sentence."""

    def run(*words: object) -> str:
        ran = ladle(*words)
        assert ran.code not in (0, 130)
        assert ran.out == ""
        assert ran.err.startswith("ladle: ")
        assert ran.err.count("\n") == 1
        return ran.err.removeprefix("ladle: ").rstrip("\n")

    return run


@pytest.fixture
def process(tmp_path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command as a process of its own."""

    def run(*words: object) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "ladder.cli", *map(str, words)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(PROJECT), "COLUMNS": "100"},
            capture_output=True,
            text=True,
            timeout=60,
        )

    return run


@pytest.fixture
def write(tmp_path) -> Callable[[str, str | bytes], Path]:
    """Put a file into the folder the command runs in."""

    def put(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return put
