"""Real Chromium against the whole product as `make run` starts it: gunicorn, worker, scheduler."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    expect,
)

from tests.servers import PYTHON, ROOT, Server, bundle, free_port, manage, wait_until

# Playwright's sync API runs an event loop in this thread, and Django would refuse to be called.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
expect.set_options(timeout=90_000)  # a busy machine is slow, and no test waits for what never comes

PASSWORD = "a bowl of hot broth 7"
SEED = "import json; from tests.browser.seeding import seed; print(json.dumps(seed()))"
MATCHES = """
from ladder.models import Bot
from ladder.services import matches
for game, seats in [("ramen_ramen", 2), ("safranito", 2), ("hot_ramen", 3), ("potage_sauvage", 3)]:
    pool = Bot.objects.filter(game=game, name__in=["House Greedy", "House Random", "Slow Simmer"])
    versions = [bot.active_version for bot in pool.order_by("name")][:seats]
    made = matches.queue(
        kind="challenge", game=game, seats=seats, versions=versions, why="to be watched", seed=7
    )
    print(game, made.pk)
"""


# What has moved on a page without being asked to, as browsers count it.
SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    const what = sources.map(({ node }) => node?.className || node?.nodeName).join(", ");
    if (!hadRecentInput) window.shifts.push([value, what]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""


@dataclass
class Site:
    """Where the product answers, and a match of each game that it has played."""

    url: str
    environment: dict[str, str] = field(default_factory=dict)
    log: Path = Path()  # has a line for every request
    paths: dict[str, str] = field(default_factory=dict)  # what tests/browser/seeding.py made
    matches: dict[str, int] = field(default_factory=dict)

    def shell(self, code: str) -> list[str]:
        """Run some lines with the site's database; the lines they print."""
        return manage(self.environment, "shell", "-v0", "-c", code).split("\n")[:-1]

    def play(self, game: str) -> str:
        return f"{self.url}/matches/{self.matches[game]}/plays/0/"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    bundle()
    var = tmp_path_factory.mktemp("site")
    port = free_port()
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    environment = kept | {
        "LADLE_VAR": str(var),
        "PORT": str(port),
        "LADLE_WORKERS": "1",
        # The ladder plays on, but seldom: it leaves the machine to the browser.
        "LADLE_CPU_SHARE": "15",
        "LADLE_QUEUE_TARGET": "1",
        "LADLE_SCHEDULER_PERIOD_MS": "15000",
        "LADLE_LOG_LEVEL": "INFO",
        "LADLE_SIGN_IN": "passkeys,codes",
    }
    own = environment | {"SECRET_KEY": "a secret of the tests", "LADLE_HTTPS": "0"}
    manage(own, "prepare")
    site = Site(f"http://127.0.0.1:{port}", own, var / "serve.log")
    site.paths = json.loads(site.shell(SEED)[0])
    server = Server(
        [PYTHON, "-m", "ladder.serve"],
        port=port,
        environment=environment | {"SECRET_KEY": own["SECRET_KEY"]},
        log=var / "serve.log",
    )
    server.start()
    try:
        for line in site.shell(MATCHES):
            game, pk = line.split()
            site.matches[game] = int(pk)
        yield site
    finally:
        server.stop()


class Complaints:
    """What a page said it did not like: console errors, blocked resources, uncaught exceptions."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def listen(self, page: Page) -> None:
        page.on("console", lambda message: self._console(page, message))
        page.on("pageerror", lambda error: self.told.append(f"{page.url}: {error}"))

    def _console(self, page: Page, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            where = message.location.get("url")
            self.told.append(f"{page.url}: {message.text} ({where})")


@pytest.fixture
def visitor(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens a browser of someone's own; in the end no page may have complained."""
    complaints = Complaints()
    contexts: list[BrowserContext] = []

    def arrive(**options: object) -> Page:
        context = browser.new_context(**{"reduced_motion": "reduce", **options})
        context.set_default_timeout(90_000)
        context.add_init_script(SHIFTS)
        contexts.append(context)
        page = context.new_page()
        complaints.listen(page)
        return page

    yield arrive
    for context in contexts:
        context.close()
    assert complaints.told == []


@pytest.fixture(scope="session")
def seen(site: Site) -> Callable[[str], str]:
    """The address of a play of a game, once it has been played."""
    import urllib.error
    import urllib.request

    def is_there(url: str) -> bool:
        try:
            return urllib.request.urlopen(url).status == 200
        except urllib.error.HTTPError:
            return False

    def address(game: str) -> str:
        url = site.play(game)
        wait_until(lambda: is_there(url), 300, f"a match of {game} is played")
        return url

    return address


@pytest.fixture
def theatre(visitor: Callable[..., Page], seen: Callable[[str], str]) -> Callable[..., Page]:
    """A play on stage, ready to be watched."""

    def open_play(game: str, after: str = "", **options: object) -> Page:
        page = visitor(**options)
        page.goto(seen(game) + after)
        page.get_by_role("button", name="Play", exact=True).wait_for()
        return page

    return open_play


def screenshots() -> Path:
    folder = ROOT / "build" / "screenshots"
    folder.mkdir(parents=True, exist_ok=True)
    return folder
