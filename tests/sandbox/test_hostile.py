"""Every way we know to cheat, break out or break down: each has a bot, and a verdict it must get.

A bot's first line says what to expect: kinds of fault, or none, and words its owner is told.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandbox import runtime

pytestmark = pytest.mark.jail

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
ATTACKS = sorted((HERE / "hostile").glob("*.[pj][ys]"))
PLAIN_USER = 65533
AS_ROOT = os.geteuid() == 0
IDENTITIES = ["worker is root", "worker is a plain user"] if AS_ROOT else ["worker is a plain user"]


def expectation(path: Path) -> tuple[list[str], list[str]]:
    """The kinds of fault that will do, and words of which its owner must be told one."""
    first = path.read_text().splitlines()[0]
    said = re.fullmatch(r"(?:#|//) Expected: (.*)", first)
    assert said, f"{path.name} does not say what to expect"
    words = re.findall(r'"([^"]*)"', said[1])
    kinds = re.sub(r'"[^"]*"', "", said[1]).replace(",", " ").split()
    return kinds, words


def suits_this_machine(path: Path) -> bool:
    named = re.search(r"^# Machine: (\S+)", path.read_text(), re.M)
    return named is None or named[1] == platform.machine()


@contextmanager
def readable_by_all() -> Iterator[Path]:
    """What the runner needs of this project, copied to where a plain user can read it.

    A clone in root's home cannot be read by others.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        unneeded = shutil.ignore_patterns("__pycache__", "static", "golden")
        for part in ("engine", "sandbox", "tests/sandbox"):
            shutil.copytree(PROJECT / part, folder / part, ignore=unneeded)
        shutil.copytree(Path(msgspec.__file__).parent, folder / "msgspec", ignore=unneeded)
        for path in folder.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        yield folder


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> Iterator[dict[str, dict[str, Any]]]:
    """What came of each attack, played in a session of its own under the asked identity."""
    with readable_by_all() as folder:
        yield run_attacks(folder, plain=AS_ROOT and request.param == "worker is a plain user")


def run_attacks(folder: Path, *, plain: bool) -> dict[str, dict[str, Any]]:
    trees = runtime.ready()
    here = folder / "tests" / "sandbox"
    attacks = [str(here / "hostile" / path.name) for path in ATTACKS if suits_this_machine(path)]
    options: dict[str, Any] = {}
    python, libraries = sys.executable, ""
    if plain:
        # The tests' own interpreter may lie in root's home; the bots' one everybody can read.
        options = {"user": PLAIN_USER, "group": PLAIN_USER, "extra_groups": [], "cwd": "/"}
        python, libraries = str(trees.base / "python/bin/python3"), str(trees.base / "lib")
    runner = subprocess.Popen(
        [python, str(here / "run_hostile.py"), str(trees.base), str(trees.code), *attacks],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": str(folder),
            "LD_LIBRARY_PATH": libraries,
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        start_new_session=True,
        **options,
    )
    try:
        printed, complaints = runner.communicate(timeout=600)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(runner.pid, signal.SIGKILL)
        runner.wait()
    assert runner.returncode == 0, complaints
    lines = [json.loads(line) for line in printed.splitlines()]
    return {line["name"]: line for line in lines}


@pytest.mark.parametrize("outcomes", IDENTITIES, indirect=True)
@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.name)
def test_the_attack_gets_its_verdict_and_harms_nobody(
    path: Path, outcomes: dict[str, dict[str, Any]]
) -> None:
    if not suits_this_machine(path):
        pytest.skip("the attack is made for another processor")
    kinds, words = expectation(path)

    outcome = outcomes[path.name]

    assert outcome["fault"] in kinds, outcome
    if outcome["fault"] != "none" and words:
        assert any(word in outcome["told"] for word in words), outcome["told"]
    assert not outcome["escaped"], outcome["log"]
    assert not outcome["quoted"], "everyone reads the sentence"
    assert outcome["harm"] == []
    assert outcome["left_behind"] == []
    assert outcome["honest_fault"] is None
    assert outcome["next_is_calm"], "the next play was not what it always is"
    assert outcome["fault"] == "none" or outcome["places"] == [2, 1]
    assert outcome["memory_mb"] < 160  # the limit is 64, and libraries are shared
