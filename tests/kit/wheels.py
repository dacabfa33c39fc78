"""`make wheels`: the wheel in an empty environment of each Python there is, every local verb run.

Interpreters are looked for on the PATH and among pyenv's. Packages come from the index, as they do
for an author.
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.servers import ROOT

VERSIONS = ("3.11", "3.12", "3.13")
PARTS = ("engine", "sandbox", "ladder", "pyproject.toml", "setup.py", "LICENSE")
VERBS = (
    "runtime",
    "games --json",
    "new ramen_ramen my_bot.py",
    "play ramen_ramen my_bot.py greedy --seed 7 --replay r.json",
    "arena ramen_ramen my_bot.py random --sets 2",
    "league add l.league my_bot.py --game ramen_ramen",
    "league play l.league --sets 2",
    "tournament run ramen_ramen my_bot.py greedy random --record cup.json",
    "check my_bot.py --game ramen_ramen --seats 2",
    "verify r.json --tournament cup.json",
    "view r.json",
    "conformance ramen_ramen --plays 1",
)


def interpreter(version: str) -> str | None:
    homes = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    return str(homes[-1]) if homes else shutil.which(f"python{version}")


def build(folder: Path) -> Path:
    """The project's wheel, made by the build back end of this environment."""
    project = folder / "project"
    project.mkdir()
    for name in PARTS:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, project / name)
    code = f"from setuptools import build_meta; build_meta.build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=project, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


def cpu_s(words: list[str | Path], folder: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(version: str, wheel: Path, folder: Path) -> list[str]:
    """What to say of a version; a verb that fails is named."""
    python = interpreter(version)
    if python is None:
        return [version, "not on this machine"]
    home = folder / version
    subprocess.run([python, "-m", "venv", home], check=True)
    pip = [home / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    subprocess.run([*pip, wheel], check=True, stderr=subprocess.DEVNULL)
    desk = home / "desk"
    desk.mkdir()
    ladle = home / "bin/ladle"
    environment = {"PATH": os.environ["PATH"], "HOME": str(desk)}
    for verb in VERBS:
        words = [ladle, *verb.split()]
        done = subprocess.run(words, cwd=desk, env=environment, capture_output=True, text=True)
        if done.returncode or "Traceback" in done.stderr:
            return [version, f"ladle {verb}: {done.stderr.strip()[-200:]}"]
    bare = min(cpu_s([home / "bin/python", "-I", "-c", "pass"], desk) for _ in range(10))
    help_ = min(cpu_s([ladle, "--help"], desk) for _ in range(10))
    play = []
    for _ in range(5):
        began = time.monotonic()
        spent = cpu_s([ladle, "play", "ramen_ramen", "random", "random"], desk)
        play.append((time.monotonic() - began, spent))
    wall, cpu = (min(column) for column in zip(*play, strict=True))
    ratio = f"--help in {1000 * help_:.0f} ms of CPU, {help_ / bare:.1f} times a bare Python"
    return [version, ratio, f"a play in {wall:.2f} s, {cpu:.2f} s of CPU", f"{len(VERBS)} verbs ok"]


def main() -> int:
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        wheel = build(folder)
        for version in VERSIONS:
            rows.append(measured(version, wheel, folder))
            sys.stdout.write(", ".join(rows[-1]) + "\n")
            sys.stdout.flush()
    return 0 if all(row[-1].endswith(("ok", "machine")) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
