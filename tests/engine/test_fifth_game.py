"""A fifth game touches one folder: this adds one to a copy of the project and changes no more."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COPIED = ["engine", "sandbox", "ladder", "templates", "tests/engine", "tests/settings.py"]
COPIED += ["manage.py", "pyproject.toml", "tests/factories.py", "tests/local_play.py"]


@pytest.fixture
def project(tmp_path):
    """A copy of the project with one folder more."""
    for name in COPIED:
        source, target = ROOT / name, tmp_path / "ladle" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    toy = Path(__file__).parent / "toy_game"
    shutil.copytree(toy, tmp_path / "ladle" / "engine" / "games" / "toy")
    return tmp_path / "ladle"


def run(project: Path, *words: str) -> str:
    environment = os.environ | {
        "PYTHONPATH": str(project),
        "LADLE_VAR": str(project / "var"),
        "DEBUG": "1",
        "LADLE_RANDOM_PLAYS": "20",
    }
    done = subprocess.run(
        [sys.executable, *words], cwd=project, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_game_added_as_a_folder_is_found_and_held_to_the_contract(project):
    run(project, "-m", "engine.golden", "--write", "toy")

    told = run(project, "-m", "pytest", "-q", "tests/engine/test_contract.py", "-k", "toy")

    assert " passed" in told
    assert "No changes detected" in run(project, "manage.py", "makemigrations", "--check")
    assert "Last Dumpling" in run(project, "-m", "ladder.cli", "games")
    words = ("-m", "ladder.cli", "play", "toy", "steamer", "random", "--in-process")
    assert "Last dumpling taken" in run(project, *words, "--replay", "toy.json")
    analysed = run(project, "-m", "ladder.cli", "analyse", "toy.json", "--budget", "quick")
    assert "Rough: this game has no analyst of its own" in analysed


def test_a_game_without_a_two_seat_board_has_pages_a_ladder_and_tournaments(project):
    game = project / "engine" / "games" / "toy" / "__init__.py"
    text = game.read_text(encoding="utf-8")
    assert "range(2, 9, 6)" in text
    game.write_text(text.replace("range(2, 9, 6)", "range(3, 9)"), encoding="utf-8")
    run(project, "-m", "engine.golden", "--write", "toy")

    told = run(project, "-m", "pytest", "-q", "tests/engine/three_to_eight.py")

    assert " passed" in told
    told = run(project, "-m", "pytest", "-q", "tests/engine/test_contract.py", "-k", "toy")
    assert " passed" in told


@pytest.mark.jail
def test_an_eight_seat_game_runs_through_site_api_gate_ladder_and_theatre(project):
    told = run(project, "-m", "pytest", "-q", "tests/engine/eight_seats.py")

    assert " passed" in told
    table = ["steamer", "random", "greedy", *["random"] * 5]
    played = run(project, "-m", "ladder.cli", "play", "toy", *table, "--in-process")
    assert "Last dumpling taken" in played
