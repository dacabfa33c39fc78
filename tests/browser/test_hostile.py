"""Bots of strangers that mean harm, in real Chromium: they get nothing, and the tab lives on.

What a bot got it prints itself; whether anything got out, the servers know.
"""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Site
from tests.browser.test_play import CHOICES

pytestmark = pytest.mark.browser

GAME = "hot_ramen"  # has turns enough for every attempt to come to something
SPIES = Path(__file__).parent / "hostile"
LOOPS = {
    "py": "def decide(view):\n    while True:\n        try:\n            while True: pass\n"
    "        except BaseException: pass\n",
    "js": "function decide(view) { for (;;); }\n",
}
FAKES = {
    "py": "import js\nfrom pyodide.ffi import to_js\ndef decide(view):\n"
    "    for _ in range(99):\n        js.postMessage(to_js({'action': view['legal'][0]}, "
    "dict_converter=js.Object.fromEntries))\n    return view['legal'][-1]\n",
    "js": "function decide(view) {\n  for (let at = 0; at < 99; at += 1)"
    " postMessage({ action: view.legal[0], stopped: '', told: 1, id: at });\n"
    "  return view.legal[0];\n}\n",
}
Published = dict[str, int]
PUBLISH = """
import hashlib, json
from django.core.files.base import ContentFile
from ladder.models import Bot, User, Version
author, _ = User.objects.get_or_create(username="mallory")
for name, language, text in json.loads({bots!r}):
    content = text.encode()
    bot = Bot.objects.create(
        owner=author, game={game!r}, name=name, seat_counts=[2], is_source_public=True,
        is_public=True,
        status="retired",  # it is for tabs, not for the ladder
    )
    version = Version(
        bot=bot, number=1, language=language, size=len(content), status="accepted",
        sha256=hashlib.sha256(content).hexdigest(),
    )
    version.source.save("bot." + language, ContentFile(content), save=False)
    version.save()
    bot.active_version = version
    bot.save()
    print(name, bot.pk)
"""


class Listener:
    """A server elsewhere: it keeps the first line of whatever arrives."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return  # closed
            with client:
                client.settimeout(2)
                try:
                    self.heard.append(client.recv(100).partition(b"\r\n")[0])
                    client.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
                except TimeoutError:
                    self.heard.append(b"a connection")

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Listener]:
    listener = Listener()
    yield listener
    listener.close()


@pytest.fixture(scope="module")
def published(site: Site, elsewhere: Listener) -> Published:
    """Bots with a public source, by name."""
    bots = []
    for language in ("py", "js"):
        spy = (SPIES / f"spy.{language}").read_text()
        spy = spy.replace("ELSEWHERE", f"http://{elsewhere.host}").replace("SITE", site.url)
        bots.append((f"spy-{language}", language, spy.replace("HOST", elsewhere.host)))
        bots.append((f"loop-{language}", language, LOOPS[language]))
        bots.append((f"fake-{language}", language, FAKES[language]))
    lines = site.shell(PUBLISH.format(bots=json.dumps(bots), game=GAME))
    return {name: int(bot) for name, bot in map(str.split, lines)}


@pytest.fixture
def victim(browser: Browser, site: Site) -> Iterator[Page]:
    """Someone with a cookie and a draft to lose. That a browser complains of attacks is well."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 800})
    context.set_default_timeout(90_000)
    context.add_cookies([{"name": "secret", "value": "loot", "url": site.url}])
    page = context.new_page()
    page.add_init_script(
        "localStorage?.setItem('ladle-draft-hot_ramen', 'loot');"
        "window.heard = [];"
        "new BroadcastChannel('loot').onmessage = ({ data }) => window.heard.push(data);"
    )
    yield page
    context.close()


def stolen(site: Site) -> list[str]:
    return [line for line in site.log.read_text().splitlines() if "/stolen/" in line]


def let_it_play(page: Page, site: Site, bot: int) -> None:
    """Seat it against a house bot, by the link on its page."""
    page.goto(f"{site.url}/bots/{bot}/")
    page.get_by_role("link", name="Play against it").click()
    page.get_by_label("Seat 1").select_option("random")
    page.get_by_role("button", name="Sit down").click()


def result(page: Page) -> str:
    return page.locator(".ending .how").inner_text()


@pytest.mark.parametrize("language", ["py", "js"])
def test_a_spy_that_is_forked_and_played_against_gets_nothing_and_nothing_gets_out(
    victim: Page, site: Site, elsewhere: Listener, published: Published, language: str
) -> None:
    page, bot = victim, published[f"spy-{language}"]
    before = stolen(site), list(elsewhere.heard)
    page.goto(f"{site.url}/bots/{bot}/")
    page.get_by_role("link", name="Open in the workshop").click()
    page.get_by_text(f"You start from spy-{language} v1, by mallory.").wait_for()
    page.get_by_role("button", name="Run one play").click()
    page.get_by_text("Played one game, no errors.").wait_for()
    page.get_by_role("button", name="To the end").click()
    printed = page.locator(".decision pre[aria-label=Printed]").inner_text()

    report = json.loads(printed)
    assert report["tried"] > 15
    assert report["got"] == {}
    assert page.evaluate("document.cookie") == "secret=loot"  # there was something to get

    let_it_play(page, site, bot)
    page.locator("#theatre[data-over]").wait_for()
    assert page.url.startswith(f"{site.url}/play/{GAME}/")
    assert len(page.context.pages) == 1
    assert page.evaluate("window.heard") == []
    page.get_by_role("button", name="Verify on the server").click()
    page.get_by_text("Verified:").wait_for()
    assert (stolen(site), elsewhere.heard) == before


@pytest.mark.parametrize("language", ["py", "js"])
def test_a_bot_that_never_answers_is_stopped_by_a_sentence_and_the_tab_lives_on(
    victim: Page, site: Site, published: Published, language: str
) -> None:
    page, bot = victim, published[f"loop-{language}"]
    page.clock.install()
    let_it_play(page, site, bot)
    page.get_by_text(f"loop-{language} thinks …").wait_for()
    page.clock.fast_forward(11_000)

    page.locator("#theatre[data-over]").wait_for()
    assert f"loop-{language} failed: it used up its thinking time." in result(page)
    page.get_by_role("button", name="Rematch").click()
    page.get_by_text(f"loop-{language} thinks …").wait_for()


@pytest.mark.parametrize("language", ["py", "js"])
def test_a_bot_that_says_more_than_it_is_asked_is_at_fault(
    victim: Page, site: Site, published: Published, language: str
) -> None:
    let_it_play(victim, site, published[f"fake-{language}"])

    victim.locator("#theatre[data-over]").wait_for()
    assert f"fake-{language} failed: its answer could not be read." in result(victim)


# Should a bot ever get out of its worker, it would be in the frame.
IN_THE_FRAME = """async ({ site, elsewhere }) => {
  const attempts = {
    cookie: () => document.cookie,
    storage: () => localStorage.length,
    parent: () => parent.document.title,
    top: () => { top.location.href = `${elsewhere}/top`; },
    popup: () => { if (open(`${elsewhere}/popup`) === null) throw new Error("none"); },
    fetch: () => fetch(`${site}/stolen/frame`),
    import: () => import(`${site}/stolen/frame.js`),
    image: () => new Promise((got, refused) => {
      Object.assign(new Image(), { onload: got, onerror: refused, src: `${elsewhere}/image` });
    }),
    script: () => new Promise((got, refused) => {
      const node = document.createElement("script");
      Object.assign(node, { onload: got, onerror: refused, src: `${site}/stolen/script.js` });
      document.body.append(node);
    }),
    inline: () => {
      const node = document.createElement("script");
      node.textContent = "window.ran = true";
      document.body.append(node);
      if (!window.ran) throw new Error("not run");
    },
    storageAccess: () => document.requestStorageAccess(),
  };
  const report = {};
  for (const [name, act] of Object.entries(attempts)) {
    try { report[name] = `got ${await act()}`; } catch (error) { report[name] = "refused"; }
  }
  return report;
}"""
LEAVE = """(elsewhere) => setTimeout(() => {
  const form = Object.assign(document.createElement("form"), { action: `${elsewhere}/form` });
  document.body.append(form);
  form.submit();
  setTimeout(() => { location.href = `${elsewhere}/away`; }, 100);
})"""


def test_the_frame_itself_has_no_way_out_either(
    victim: Page, site: Site, elsewhere: Listener, published: Published
) -> None:
    page, before = victim, (stolen(site), list(elsewhere.heard))
    page.goto(f"{site.url}/play/ramen_ramen/?bot=noodle&seed=7")
    page.get_by_role("button", name="Sit down").click()
    page.locator("#theatre[data-asked]").wait_for()
    (frame,) = page.frames[1:]

    away = f"http://{elsewhere.host}"
    report = frame.evaluate(IN_THE_FRAME, {"site": site.url, "elsewhere": away})
    frame.evaluate(LEAVE, away)

    assert {name: told for name, told in report.items() if told != "refused"} == {}
    page.wait_for_timeout(1000)
    assert page.url.startswith(f"{site.url}/play/ramen_ramen/")
    assert len(page.context.pages) == 1
    assert (stolen(site), elsewhere.heard) == before
    assert page.locator(CHOICES).count()


def test_the_servers_would_have_known(site: Site, elsewhere: Listener, victim: Page) -> None:
    before = len(stolen(site)), len(elsewhere.heard)

    victim.request.get(f"{site.url}/stolen/control")
    victim.request.get(f"http://{elsewhere.host}/control")

    assert len(stolen(site)) == before[0] + 1
    assert elsewhere.heard[before[1] :] == [b"GET /control HTTP/1.1"]
