"""An added game and an added language in a browser: the play page, the workshop and the theatre."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests import servers
from tests.browser.conftest import visitor  # noqa: F401 - a fixture
from tests.browser.test_play import CHOICES, after, is_over
from tests.plugins.conftest import run

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(house: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the pages of the house are served, bundled as set-up does it."""
    for name in ("package.json", ".npmrc"):
        shutil.copy(servers.ROOT / name, house)
    if not (house / "node_modules").exists():
        (house / "node_modules").symlink_to(servers.ROOT / "node_modules")
    made = servers.ROOT / "build" / "served" / "tab"
    for folder in made.glob("python-*"):  # Python itself is the same, and takes a minute to pack
        shutil.copytree(
            folder, house / "build" / "served" / "tab" / folder.name, dirs_exist_ok=True
        )
    path = f"{servers.BIN}:{os.environ['PATH']}"
    subprocess.run(
        ["npm", "run", "-s", "build"], cwd=house, env={**os.environ, "PATH": path}, check=True
    )
    var, port = tmp_path_factory.mktemp("var"), servers.free_port()
    settings = {"SECRET_KEY": "a secret of the tests", "LADLE_HTTPS": "0", "DEBUG": "0"}
    settings |= {"ALLOWED_HOSTS": "127.0.0.1"}
    run(house, var, "manage.py", "migrate", "-v0", **settings)
    run(house, var, "manage.py", "collectstatic", "--noinput", "-v0", **settings)
    words = ["-m", "ladder.web.embedded", f"--listen=127.0.0.1:{port}", "--threads=4"]
    server = servers.Server(
        [servers.PYTHON, *words, "ladder.wsgi:application"],
        port=port,
        environment=servers.product_environment(var, PYTHONPATH=str(house), **settings),
        log=var / "serve.log",
        cwd=house,
    )
    server.start()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.stop()


def test_a_person_plays_the_game_at_three_seats_to_its_end(
    visitor: Callable[..., Page],  # noqa: F811
    address: str,
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    page.goto(f"{address}/play/toy/?seed=7")
    page.get_by_role("button", name="Sit down").click()
    page.locator("#theatre[data-asked], #theatre[data-over]").wait_for(timeout=60_000)
    while not is_over(page):
        after(page, lambda: page.locator(CHOICES).last.click())

    page.get_by_role("button", name="Verify on the server").click()
    page.get_by_text("Verified:").wait_for()
    page.get_by_role("button", name="Watch it again").click()
    page.get_by_role("button", name="To the end").click()


def test_a_bot_in_the_added_language_is_tried_in_the_workshop(
    visitor: Callable[..., Page],  # noqa: F811
    address: str,
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    page.goto(f"{address}/play/toy/bot/?language=snake")
    editor = page.get_by_role("textbox", name="Your bot, in Python")
    editor.get_by_text("A bot for Last Dumpling, to start from").wait_for()
    page.get_by_role("button", name="Run one play").click()
    page.get_by_text("Played one game, no errors.").wait_for(timeout=60_000)
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("Ready to submit").wait_for(timeout=60_000)
