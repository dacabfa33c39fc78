"""The kit as an author gets it: built, and installed where nothing else is."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.servers import ROOT

BUILD = "from setuptools import build_meta; print(build_meta.{hook}({folder!r}))"


@dataclass(frozen=True)
class Built:
    wheel: Path
    wheel_of_sdist: Path


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Built:
    """A wheel of the project's files, and one of what its sdist holds."""
    folder = tmp_path_factory.mktemp("built")
    project = folder / "project"
    project.mkdir()
    for part in ("engine", "sandbox", "ladder"):
        shutil.copytree(ROOT / part, project / part, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "setup.py", "LICENSE"):
        shutil.copy(ROOT / name, project)
    sdist = _build("build_sdist", project, folder / "sdist")
    (folder / "unpacked").mkdir()
    # Not by tarfile: Debian's Python 3.11.2 does not know the filter that later ones insist on.
    subprocess.run(["tar", "-xzf", sdist, "-C", folder / "unpacked"], check=True)
    (unpacked,) = (folder / "unpacked").iterdir()
    return Built(
        _build("build_wheel", project, folder / "wheel"),
        _build("build_wheel", unpacked, folder / "wheel_of_sdist"),
    )


def _build(hook: str, project: Path, target: Path) -> Path:
    """What the build back end makes, without a network: it comes with the tests' packages."""
    target.mkdir()
    command = [sys.executable, "-c", BUILD.format(hook=hook, folder=str(target))]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return target / done.stdout.splitlines()[-1]


@dataclass(frozen=True)
class Home:
    """An author's machine: an environment with the kit and its declared packages alone."""

    bin: Path
    site: Path
    folder: Path

    def run(self, *words: object, path: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment there."""
        program, *rest = map(str, words)
        environment = {"PATH": os.environ["PATH"] if path is None else path, "COLUMNS": "120"}
        environment |= {"HOME": str(self.folder), "LANG": "C.UTF-8"}
        if "LADLE_RUNTIME" in os.environ:
            environment["LADLE_RUNTIME"] = os.environ["LADLE_RUNTIME"]
        return subprocess.run(
            [self.bin / program, *rest],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )


@pytest.fixture(scope="session")
def home(built, tmp_path_factory) -> Iterator[Home]:
    folder = tmp_path_factory.mktemp("home")
    venv.create(folder / "env", with_pip=False)
    python = folder / "env/bin/python"
    install = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index"]
    subprocess.run([*install, "--no-deps", "--no-compile", built.wheel], check=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site = folder / "env/lib" / version / "site-packages"
    (kit,) = site.glob("ladle-*.dist-info")
    for needed in declared(PathDistribution(kit), set()):
        _link(needed, site)
    (folder / "desk").mkdir()
    folder.chmod(0o755)
    yield Home(folder / "env/bin", site, folder / "desk")
    shutil.rmtree(folder)


def declared(package: Distribution, extras: set[str]) -> list[Distribution]:
    """What pip would install for a package: what it requires, and what that requires."""
    found: dict[str, Distribution] = {}
    waiting = [(package, frozenset(extras))]
    while waiting:
        one, wanted = waiting.pop()
        for text in one.requires or ():
            requirement = Requirement(text)
            marker = requirement.marker
            if marker and not any(marker.evaluate({"extra": e}) for e in wanted | {""}):
                continue
            if requirement.name not in found:
                found[requirement.name] = distribution(requirement.name)
                waiting.append((found[requirement.name], frozenset(requirement.extras)))
    return list(found.values())


def _link(package: Distribution, site: Path) -> None:
    """Make an installed package importable there too, from the tests' own environment."""
    for name in {file.parts[0] for file in package.files or ()} - {"..", "__pycache__"}:
        if not (site / name).exists():
            (site / name).symlink_to(Path(str(package.locate_file(name))))


@pytest.fixture
def ladle(home) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The installed command, which must do well."""

    def run(*words: object, **how: str) -> subprocess.CompletedProcess[str]:
        done = home.run("ladle", *words, **how)
        assert done.returncode == 0, f"ladle {words}\n{done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr
        return done

    return run
