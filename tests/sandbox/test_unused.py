"""What nobody used for a week is removed, while others come and go."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sandbox.program import bundle
from sandbox.program.bundle import Bundle
from sandbox.unused import remove_unused

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


def test_a_bundle_that_was_used_again_stays(tmp_path: Path) -> None:
    used, unused, new = (Bundle("bot.py", {"bot.py": text}) for text in (b"1", b"2", b"3"))
    for one in (used, unused):
        os.utime(bundle.tree(one, tmp_path), LONG_AGO)

    bundle.tree(used, tmp_path)
    bundle.tree(new, tmp_path)

    assert {path.name for path in tmp_path.iterdir()} == {used.sha256, new.sha256}
    assert (bundle.tree(unused, tmp_path) / "bot.py").read_bytes() == b"2"


def test_many_workers_unpack_at_once(tmp_path: Path) -> None:
    many = [Bundle("bot.py", {"bot.py": str(n).encode()}) for n in range(200)]

    with ThreadPoolExecutor(8) as workers:
        folders = list(workers.map(lambda one: bundle.tree(one, tmp_path), many * 2))

    assert [(folder / "bot.py").read_bytes() for folder in folders] == [
        one.files["bot.py"] for one in many * 2
    ]
    assert len(list(tmp_path.iterdir())) == len(many)
