"""A copy of the project with a game, a language and two tournament formats more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests import servers

HERE = Path(__file__).parent
TOY = servers.ROOT / "tests" / "engine" / "toy_game"
NEEDED = ("engine", "sandbox", "ladder", "templates", "docs", "manage.py", "pyproject.toml")


def run(house: Path, var: Path, *words: str, **settings: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=house,
        env=servers.product_environment(var, PYTHONPATH=str(house), **settings),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-3000:]
    return done.stdout


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The product's files with some more."""
    root = tmp_path_factory.mktemp("house")
    listed = subprocess.run(
        ["git", "ls-files", "-z", *NEEDED], cwd=servers.ROOT, capture_output=True, check=True
    )
    added = {
        HERE / "added" / "snake.py": "sandbox/languages/snake.py",
        HERE / "added" / "relay.py": "ladder/tournaments/formats/relay.py",
        HERE / "added" / "stepladder.py": "ladder/tournaments/formats/stepladder.py",
        **{path: f"engine/games/toy/{path.relative_to(TOY)}" for path in TOY.rglob("*.*")},
    }
    names = [name for name in listed.stdout.decode().split("\0") if (servers.ROOT / name).is_file()]
    assert not set(names) & set(added.values())
    for source, name in [*((servers.ROOT / name, name) for name in names), *added.items()]:
        if source.is_file() and source.suffix != ".pyc":
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(source.read_bytes())
    game = root / "engine" / "games" / "toy" / "__init__.py"
    text = game.read_text(encoding="utf-8")
    assert "range(2, 9, 6)" in text
    game.write_text(text.replace("range(2, 9, 6)", "range(3, 9)"), encoding="utf-8")
    return root
