"""Every way we know to cheat, break out or break down: each has a bot, and a verdict it must get.

A bot's first line says what to expect: kinds of fault, or none, and words its owner is told.
"""

from __future__ import annotations

import json
import os
import platform
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sandbox import runtime

pytestmark = pytest.mark.jail

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
ATTACKS = sorted((HERE / "hostile").glob("*.py"))
PLAIN_USER = 65533
AS_ROOT = os.geteuid() == 0
IDENTITIES = ["worker is root", "worker is a plain user"] if AS_ROOT else ["worker is a plain user"]


def expectation(path: Path) -> tuple[list[str], list[str]]:
    """The kinds of fault that will do, and words of which its owner must be told one."""
    first = path.read_text().splitlines()[0]
    assert first.startswith("# Expected: "), f"{path.name} does not say what to expect"
    words = re.findall(r'"([^"]*)"', first)
    kinds = re.sub(r'"[^"]*"', "", first.removeprefix("# Expected: ")).replace(",", " ").split()
    return kinds, words


def suits_this_machine(path: Path) -> bool:
    named = re.search(r"^# Machine: (\S+)", path.read_text(), re.M)
    return named is None or named[1] == platform.machine()


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest) -> Iterator[dict[str, dict[str, Any]]]:
    """What came of each attack, played in a session of its own under the asked identity."""
    trees = runtime.ready()
    attacks = [str(path) for path in ATTACKS if suits_this_machine(path)]
    options: dict[str, Any] = {}
    python, libraries = sys.executable, ""
    if AS_ROOT and request.param == "worker is a plain user":
        # The tests' own interpreter may lie in root's home; the bots' one everybody can read.
        options = {"user": PLAIN_USER, "group": PLAIN_USER, "extra_groups": []}
        python, libraries = str(trees.base / "python/bin/python3"), str(trees.base / "lib")
    packages = [str(PROJECT), *(path for path in sys.path if path.endswith("-packages"))]
    runner = subprocess.Popen(
        [python, str(HERE / "run_hostile.py"), str(trees.base), str(trees.code), *attacks],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(packages),
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
    yield {line["name"]: line for line in lines}


@pytest.mark.parametrize("outcomes", IDENTITIES, indirect=True)
@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_the_attack_gets_its_verdict_and_harms_nobody(
    path: Path, outcomes: dict[str, dict[str, Any]]
) -> None:
    if not suits_this_machine(path):
        pytest.skip("the attack is made for another processor")
    kinds, words = expectation(path)

    outcome = outcomes[path.stem]

    assert outcome["fault"] in kinds, outcome
    if outcome["fault"] != "none" and words:
        assert any(word in outcome["told"] for word in words), outcome["told"]
    assert not outcome["escaped"], outcome["log"]
    assert outcome["harm"] == []
    assert outcome["left_behind"] == []
    assert outcome["honest_fault"] is None
    assert outcome["fault"] == "none" or outcome["places"] == [2, 1]
    assert outcome["memory_mb"] < 160  # the limit is 64, and libraries are shared
