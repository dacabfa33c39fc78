"""Every command the documentation shows is run, and prints what the documentation shows."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, ROOT, Block, Step, blocks, steps
from tests.servers import BIN

# What is shown but not run, by page and first command. Anything else must run.
NOT_RUN = {
    ("README.md", "make setup"),
    (
        "api.md",
        "curl -sNL 'http://localhost:8000/api/v1/events?format=ndjson&kind=match.finished"
        "&board=ramen_ramen/2'",
    ),
    ("datasets.md", "ladle dataset list --game ramen_ramen"),
    ("kit.md", "pip install ."),
    ("kit.md", "python -m ladle.examples.learned.train --minutes 3 --output learned"),
    (
        "kit.md",
        "python -m ladle.examples.learned.train --minutes 1 --generations 3 --output learned",
    ),
    ("running.md", "docker compose up --build --scale worker=2"),
    ("running.md", "kubectl apply -k ladder/deploy/kubernetes"),
    (
        "running.md",
        "python manage.py prepare --no-demo && gunicorn ladder.wsgi --bind 127.0.0.1:8000"
        " --workers 2 --threads 4",
    ),
}


def runs(block: Block) -> bool:
    return block.language == "console" and "not-run" not in block.words


def needs_server(block: Block) -> bool:
    return block.language == "console" and block.words[:1] == ("server",)


def run(step: Step, folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", step.command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, f"$ {step.command}\n{done.stdout}"
    assert_shown(step.output, done.stdout, step.command)


def assert_shown(shown: Sequence[str], printed: str, command: str) -> None:
    """The lines shown were printed, in this order; `...` stands for anything."""
    lines = iter(" ".join(line.split()) for line in printed.splitlines())
    for line in shown:
        wanted = ".*".join(re.escape(" ".join(part.split())) for part in line.split("..."))
        wanted = wanted.replace(r"\ .*", ".*").replace(r".*\ ", ".*")
        assert any(re.fullmatch(wanted, found) for found in lines), (
            f"$ {command}\nis said to print\n{line}\nbut it printed\n{printed}"
        )


def run_all(page: Path, folder: Path, environment: dict[str, str], *, server: bool) -> None:
    """Run a page's blocks that need a server, or those that need none."""
    folder.mkdir()
    for block in blocks(page):
        if block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
        elif runs(block) and server == needs_server(block):
            for step in steps(block):
                run(step, ROOT if "root" in block.words else folder, environment)


def environment_for(home: Path) -> dict[str, str]:
    """The project's programs first on the path, and a site of its own for `manage.py`."""
    (home / "var" / "media").mkdir(parents=True, exist_ok=True)
    binaries = f"{BIN}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if name.startswith("LADLE_R")}
    return kept | {
        "PATH": binaries,
        "HOME": str(home),
        "LADLE_VAR": str(home / "var"),
        "SECRET_KEY": "only for the tests of the documentation",
        "COLUMNS": "100",
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


@pytest.mark.jail
@pytest.mark.parametrize(
    "page",
    [
        page
        for page in PAGES
        if any(runs(block) and not needs_server(block) for block in blocks(page))
    ],
    ids=lambda page: page.name,
)
def test_the_commands_of_a_page_do_what_it_says(page, tmp_path):
    run_all(page, tmp_path / "folder", environment_for(tmp_path), server=False)


@pytest.mark.jail
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(needs_server(block) for block in blocks(page))],
    ids=lambda page: page.name,
)
def test_the_commands_of_a_page_work_on_a_live_site(page, site, tmp_path):
    run_all(page, tmp_path / "folder", environment_for(tmp_path) | site, server=True)


@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if any(block.language == "pycon" for block in blocks(page))],
    ids=lambda page: page.name,
)
def test_the_interactive_python_of_a_page_answers_as_shown(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = "\n".join(block.text for block in blocks(page) if block.language == "pycon")
    example = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    told: list[str] = []

    result = doctest.DocTestRunner(verbose=False).run(example, out=told.append)

    assert result.attempted > 0
    assert result.failed == 0, "".join(told)


def test_only_the_commands_listed_here_are_shown_without_being_run():
    shown = {
        (page.name, steps(block)[0].command)
        for page in PAGES
        for block in blocks(page)
        if block.language == "console" and not runs(block)
    }

    assert shown == NOT_RUN


def test_output_that_a_command_does_not_print_is_noticed():
    with pytest.raises(AssertionError, match="is said to print"):
        assert_shown(["two ...", "one"], "one\ntwo and more\n", "count")


def test_a_command_that_fails_is_noticed(tmp_path):
    with pytest.raises(AssertionError, match="no_such_verb"):
        run(Step("ladle no_such_verb", ()), tmp_path, environment_for(tmp_path))
