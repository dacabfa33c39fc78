"""What nobody used for a week is removed, while others come and go."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sandbox.place import remove_unused
from sandbox.program import bundle
from sandbox.program.bundle import Bundle

LONG_AGO = (1, 1)


def test_old_files_and_folders_go_and_used_ones_stay(tmp_path: Path) -> None:
    for name in ("old", "used"):
        (tmp_path / f"{name}-tree/inner").mkdir(parents=True)
        (tmp_path / f"{name}.txt").touch()
    for name in ("old-tree", "old.txt"):
        os.utime(tmp_path / name, LONG_AGO)

    remove_unused(tmp_path.iterdir())

    assert {path.name for path in tmp_path.iterdir()} == {"used-tree", "used.txt"}


def test_what_another_worker_took_away_meanwhile_is_passed_over(tmp_path: Path) -> None:
    old = tmp_path / "old.txt"
    old.touch()
    os.utime(old, LONG_AGO)

    remove_unused([tmp_path / ".draft-of-another", old])

    assert not old.exists()


def test_a_worker_that_is_killed_on_the_way_leaves_no_half_of_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "old"
    old.mkdir()
    os.utime(old, LONG_AGO)

    def killed(*_: object, **__: object) -> None:
        assert not old.exists()
        raise KeyboardInterrupt

    monkeypatch.setattr("shutil.rmtree", killed)
    with pytest.raises(KeyboardInterrupt):
        remove_unused(tmp_path.iterdir())
    monkeypatch.undo()
    for left in tmp_path.iterdir():
        os.utime(left, LONG_AGO)
    remove_unused(tmp_path.iterdir())

    assert list(tmp_path.iterdir()) == []


def test_a_bundle_that_was_used_again_stays(tmp_path: Path) -> None:
    used, unused, new = (Bundle("bot.py", {"bot.py": text}) for text in (b"1", b"2", b"3"))
    for one in (used, unused):
        os.utime(bundle.tree(one, tmp_path), LONG_AGO)

    bundle.tree(used, tmp_path)
    bundle.tree(new, tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == {".lock", used.sha256, new.sha256}
    assert (bundle.tree(unused, tmp_path) / "bot.py").read_bytes() == b"2"


def test_what_is_asked_for_is_never_removed_by_another(tmp_path: Path) -> None:
    """One worker comes back to an old bundle at the very time when others clear up."""
    wanted = Bundle("bot.py", {f"{n}.txt": b"x" for n in range(50)} | {"bot.py": b""})
    others = (Bundle("bot.py", {"bot.py": str(n).encode()}) for n in range(10**9))
    with ThreadPoolExecutor(4) as workers:
        for _ in range(100):
            os.utime(bundle.tree(wanted, tmp_path), LONG_AGO)
            clearing = [workers.submit(bundle.tree, next(others), tmp_path) for _ in range(3)]
            folder = workers.submit(bundle.tree, wanted, tmp_path).result()
            for one in clearing:
                one.result()

            assert len(list(folder.iterdir())) == len(wanted.files)


def test_many_workers_unpack_at_once(tmp_path: Path) -> None:
    many = [Bundle("bot.py", {"bot.py": str(n).encode()}) for n in range(200)]

    with ThreadPoolExecutor(8) as workers:
        folders = list(workers.map(lambda one: bundle.tree(one, tmp_path), many * 2))

    assert [(folder / "bot.py").read_bytes() for folder in folders] == [
        one.files["bot.py"] for one in many * 2
    ]
    assert len(list(tmp_path.iterdir())) == len(many) + 1
