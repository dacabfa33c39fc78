"""A person sits down in real Chromium and plays: on the board, in the list, by drag and by keys."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from engine.games import GAMES
from engine.replay import read, verify
from tests.browser.conftest import Site, screenshots
from tests.browser.test_pages import serious
from tests.servers import BIN

pytestmark = pytest.mark.browser

ASKED = "#theatre[data-asked]"
SETTLED = "#theatre[data-asked], #theatre[data-over]"
CHOICES = ".choices-list li:not([hidden]) button"


def sit_down(page: Page, site: Site, game: str, query: str = "seed=7") -> None:
    page.goto(f"{site.url}/play/{game}/?{query}")
    page.get_by_role("button", name="Sit down").click()
    page.locator(SETTLED).wait_for(timeout=60_000)


def after(page: Page, act: Callable[[], None]) -> None:
    """Do it, and wait until the next question or the end has come."""
    step = page.locator("#theatre").get_attribute("data-asked")
    act()
    page.locator(f"#theatre:not([data-asked='{step}'])").wait_for()
    page.locator(SETTLED).wait_for()


def is_over(page: Page) -> bool:
    return page.locator("#theatre[data-over]").count() > 0


def pick_on_the_board(page: Page) -> None:
    """Touch what is marked until a move has come of it; what is not on the board, in the list."""
    step = page.locator("#theatre").get_attribute("data-asked")
    marked = page.locator(f"#theatre[data-asked='{step}'] .pickable")
    if not marked.count():
        page.locator(CHOICES).first.click()
    touches = 0
    while marked.count():
        marked.first.click()
        touches += 1
        gone = f"#theatre:not([data-asked='{step}'])"
        page.locator(f"{gone}, svg[data-touches='{touches}']").first.wait_for()


def press_in_the_list(page: Page) -> None:
    page.locator(CHOICES).last.focus()
    page.keyboard.press("Enter")


def drag(page: Page, disc: Locator, rest: tuple[float, float]) -> None:
    """Throw a disc by mouse to a point given in shares of the board."""
    box = disc.bounding_box()
    felt = page.locator(".b-safranito-felt").bounding_box()
    assert box and felt
    x, y = felt["x"] + felt["width"] * rest[0], felt["y"] + felt["height"] * rest[1]
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(x - felt["width"] * 0.1, y - felt["height"] * 0.1, steps=3)
    page.mouse.move(x, y)
    page.mouse.up()


def drag_or_press(page: Page) -> None:
    """A throw is dragged from one's own edge to a bowl in the middle; the rest is pressed."""
    disc = page.locator(".b-safranito-aim-disc")
    if not disc.count():
        return press_in_the_list(page)
    drag(page, disc, (0.5, 0.5))


WAYS = {
    "ramen_ramen": pick_on_the_board,
    "hot_ramen": pick_on_the_board,
    "potage_sauvage": pick_on_the_board,
    "safranito": drag_or_press,
}


@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_a_game_to_its_end_and_the_server_agrees(
    visitor: Callable[..., Page], site: Site, game: str, tmp_path: Path
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    sit_down(page, site, game)
    page.screenshot(path=screenshots() / f"play-{game}.png")
    while not is_over(page):
        after(page, lambda: WAYS[game](page))

    end_is_told(page)
    page.get_by_role("button", name="Verify on the server").click()
    page.get_by_text("Verified:").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the replay").click()
    path = tmp_path / "play.json.gz"
    download.value.save_as(path)
    page.screenshot(path=screenshots() / f"play-{game}-over.png")
    page.get_by_role("button", name="Watch it again").click()
    page.get_by_role("button", name="To the end").click()
    page.get_by_role("button", name="Back to the result").click()
    if game == "potage_sauvage":  # it was played here, and is judged here
        page.get_by_role("button", name="Analyse this play").click()
        page.locator(".analysis .balance").get_by_text("luck ").first.wait_for()
        page.get_by_role("button", name="Back to the result").click()
        page.locator(".deciding").get_by_text("Turning point: move").wait_for()
        page.screenshot(path=screenshots() / f"play-{game}-turned.png")
        page.get_by_role("button", name="Show it on the board").click()
        page.locator(".controls").wait_for()

    replay = read(path.read_bytes())
    verify(GAMES[game], replay)
    assert [player.bot for player in replay.players] == ["Guest", "House Greedy"]
    assert replay.seed == 7
    told = subprocess.run([BIN / "ladle", "verify", path], capture_output=True, text=True)
    assert "ok, " in told.stdout, told.stderr
    if game == "safranito":
        throws = [e["action"] for e in replay.log if e.get("seat") == 0 and e["kind"] == "throw"]
        assert all(">200," in throw for throw in throws[:3])


HAS_FOCUS = "() => Boolean(document.activeElement.closest('.choosing'))"


@pytest.mark.parametrize("game", GAMES)
def test_a_person_plays_a_game_to_its_end_by_keys_alone(
    visitor: Callable[..., Page], site: Site, game: str
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    sit_down(page, site, game)
    page.get_by_label("Pace of the bots").select_option("Instant")
    while not page.evaluate(HAS_FOCUS):
        page.keyboard.press("Tab")

    decisions = 0
    while not is_over(page):
        decisions += 1
        assert page.evaluate(HAS_FOCUS), "the focus is lost"
        if page.locator(".aim-form").count() and decisions < 9:  # the others as the disc stands
            for key in ("ArrowRight", "Tab", "ArrowRight", "Tab", "ArrowRight", "Tab", "PageUp"):
                page.keyboard.press(key)
        after(page, lambda: page.keyboard.press("Enter"))

    assert decisions > 5
    assert page.locator(".ending .result").evaluate("(node) => node === document.activeElement")
    assert page.evaluate("scrollY") == 0


def end_is_told(page: Page) -> None:
    """In large words, with the record that this browser keeps."""
    result = page.locator(".ending .result").inner_text()
    assert re.match(r"(You|House Greedy) wins? (\d+–\d+|on the tie-break)|You and House", result)
    record = page.locator(".ending .record").inner_text()
    assert re.fullmatch(r"You against House Greedy: \d wins?(, 1 draw)?, \d loss(es)?\.", record)


def test_a_guest_shares_the_end_and_plays_again_with_one_key(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport={"width": 390, "height": 844})
    sit_down(page, site, "ramen_ramen")
    while not is_over(page):
        after(page, lambda: press_in_the_list(page))
    for part in (".ending .result", ".ending .record"):
        box = page.locator(part).bounding_box()
        assert box
        assert box["y"] + box["height"] < 844
    page.screenshot(path=screenshots() / "end-phone.png")
    page.get_by_role("button", name="Share this game").click()
    link = page.locator(".verdict a").inner_text()
    page.screenshot(path=screenshots() / "end-phone-shared.png")
    assert serious(page) == []
    friend = visitor()
    friend.goto(link)
    friend.locator("#theatre[data-ready]").wait_for()
    assert "A guest at Ramen! Ramen!" in friend.title()

    before = page.url
    page.keyboard.press("r")
    page.locator(ASKED).wait_for()

    assert page.url != before
    assert page.locator(".ending").count() == 0


def test_a_hint_a_move_taken_back_and_a_worker_that_hangs_lose_nothing(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport={"width": 390, "height": 844})
    page.clock.install()
    sit_down(page, site, "ramen_ramen")
    first = page.locator(CHOICES).all_inner_texts()
    page.get_by_role("button", name="Take back").click()
    page.get_by_text("There is nothing to take back yet.").wait_for()
    page.get_by_role("button", name="Hint").click()
    hint = page.get_by_text("House Chef would put").inner_text()
    words = hint.removeprefix("House Chef would p").removesuffix(".")
    card = re.search(r"ut (\w+) (\d) into", words)
    assert card
    shown = page.locator(".stage .hinted")  # the first touch of the move, on the board itself
    assert shown.count() == 1
    assert shown.get_attribute("data-pick") in (
        card[1].lower() + card[2],
        *("bowl A", "bowl B", "bowl C"),
    )
    after(page, page.get_by_role("button", name=f"P{words}").click)
    page.screenshot(path=screenshots() / "play-phone.png", full_page=True)
    assert serious(page) == []
    later = page.locator("#theatre").get_attribute("data-asked")

    page.get_by_role("button", name="Take back").click()
    page.locator(f"#theatre:not([data-asked='{later}'])").wait_for()
    page.locator(SETTLED).wait_for()
    assert page.locator(CHOICES).all_inner_texts() == first

    # Python is caught in a loop: it is stopped, a new one gets the answers given so far.
    page.workers[0].evaluate("() => { setTimeout(() => { for (;;); }); }")
    page.locator(CHOICES).first.click()
    page.clock.fast_forward(11_000)
    page.locator(f"#theatre[data-asked='{later}']").wait_for(timeout=60_000)
    page.get_by_role("button", name="Moves", exact=True).click()
    assert page.locator(".moves").get_by_text("puts").count() > 0


# Where the disc of a throw is drawn, and where it should come to rest.
AIMED = """() => [...document.querySelectorAll(".b-safranito-aim circle")].map((node) => (
  `${node.getAttribute("cx")} ${node.getAttribute("cy")}`)).join()"""


@pytest.mark.parametrize("game", GAMES)
def test_a_hint_is_drawn_on_the_board(visitor: Callable[..., Page], site: Site, game: str) -> None:
    page = visitor(viewport={"width": 390, "height": 844})
    sit_down(page, site, game)
    before = page.evaluate(AIMED)

    page.get_by_role("button", name="Hint").click()
    page.get_by_text(re.compile("House .* would ")).wait_for()

    if page.locator(".b-safranito-aim").count():  # a throw: the disc lies and aims as advised
        assert page.evaluate(AIMED) != before
    else:
        hinted = page.locator(".stage .pickable.hinted")
        assert hinted.count() >= 1
        assert len({node.get_attribute("data-pick") for node in hinted.all()}) == 1
    page.screenshot(path=screenshots() / f"hint-{game}.png")


# Counts the notes that a page really starts.
NOTES = """
window.notes = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.notes += 1;
  return start.apply(this, when);
};
"""


def test_a_game_is_silent_until_its_sound_is_turned_on_which_the_browser_remembers(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport={"width": 390, "height": 844})
    page.add_init_script(NOTES)
    sit_down(page, site, "ramen_ramen")
    sound = page.get_by_role("button", name="Sound")
    assert sound.get_attribute("aria-pressed") == "false"
    after(page, lambda: press_in_the_list(page))
    assert page.evaluate("window.notes") == 0

    sound.click()
    page.wait_for_function("window.notes === 1")
    after(page, lambda: press_in_the_list(page))

    moves_and_turn = page.evaluate("window.notes")
    assert moves_and_turn >= 3
    page.goto(f"{site.url}/play/potage_sauvage/?seed=7")
    page.get_by_role("button", name="Sit down").click()
    page.locator(ASKED).wait_for(timeout=60_000)
    assert sound.get_attribute("aria-pressed") == "true"
    assert page.evaluate("window.notes") >= 1
    sound.click()
    before = page.evaluate("window.notes")
    after(page, lambda: press_in_the_list(page))
    assert page.evaluate("window.notes") == before


def test_bots_play_one_deal_from_both_seats_and_are_compared(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    page.goto(f"{site.url}/play/ramen_ramen/?seed=7&bot=chef")
    page.get_by_label("Seat 1").select_option("greedy")
    page.get_by_role("button", name="Sit down").click()
    page.locator("#theatre[data-over]").wait_for(timeout=60_000)
    page.get_by_role("button", name="Change seats, same deal").click()
    table = page.get_by_role("table", name="The same deal, so far")
    table.wait_for(timeout=60_000)

    assert table.get_by_role("columnheader").all_inner_texts() == [
        *("Play", "House Greedy", "House Chef")
    ]
    seats = [row.split("seat ")[1][0] for row in table.locator("td").all_inner_texts()]
    assert seats == ["1", "2", "2", "1"]


def test_people_at_one_screen_do_not_see_each_others_cards(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    page.goto(f"{site.url}/play/potage_sauvage/?seed=7")
    page.get_by_label("Seat 2").select_option("friend")
    page.get_by_role("button", name="Sit down").click()
    page.get_by_role("button", name="I have it").or_(page.locator(CHOICES).first).wait_for(
        timeout=60_000
    )
    covers = 0
    while covers < 2:
        cover = page.get_by_role("button", name="I have it")
        if cover.count():
            assert not page.locator(".stage").is_visible()
            cover.click()
            covers += 1
        step = page.locator(ASKED).get_attribute("data-asked")
        page.locator(CHOICES).first.click()
        page.locator(f"#theatre:not([data-asked='{step}'])").wait_for()
        page.locator(f".cover, {ASKED}").first.wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_a_first_play_is_guided_until_the_guide_is_skipped(
    visitor: Callable[..., Page], site: Site, game: str
) -> None:
    notes = json.loads((GAMES[game].folder / "guide.json").read_text(encoding="utf-8"))["notes"]
    page = visitor(viewport={"width": 390, "height": 844})
    page.goto(f"{site.url}/play/{game}/")
    page.get_by_role("button", name="Start a guided game").click()
    page.locator(ASKED).wait_for(timeout=60_000)
    guide = page.get_by_label("Guide", exact=True)
    first = guide.locator(".guide-note").inner_text()
    page.screenshot(path=screenshots() / f"guide-{game}.png", full_page=True)
    assert serious(page) == []
    after(page, lambda: press_in_the_list(page))
    second = guide.locator(".guide-note").inner_text()
    after(page, page.get_by_role("button", name="Take back").click)
    again = guide.locator(".guide-note").inner_text()
    guide.get_by_role("button", name="Skip the guide").click()

    assert {first, second} <= {note for kind in notes.values() for note in kind}
    assert first == again != second
    assert guide.count() == 0
    after(page, lambda: press_in_the_list(page))
    assert guide.count() == 0


def test_once_loaded_a_game_is_played_without_a_network(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor()
    cable = Cable(int(site.url.rsplit(":", 1)[1]))
    behind = Site(f"http://127.0.0.1:{cable.port}")
    sit_down(page, behind, "ramen_ramen")
    page.locator("#theatre[data-kept]").wait_for(state="attached")

    cable.cut()
    sit_down(page, behind, "ramen_ramen", "seed=8&bot=greedy")

    after(page, lambda: pick_on_the_board(page))


class Cable:
    """A way to the site that can be cut. Chromium's own switch leaves service workers online."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._ends: list[socket.socket] = []
        self.port = self._listening.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        # A thread that waits for a connection keeps the door open: it has to be woken.
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near = self._listening.accept()[0]
                far = socket.create_connection(("127.0.0.1", self._to))
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
            other.shutdown(socket.SHUT_WR)


def test_a_browser_that_cannot_run_it_gets_a_sentence_and_another_way(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor()
    page.add_init_script("delete window.WebAssembly")
    page.goto(f"{site.url}/play/ramen_ramen/")

    alert = page.get_by_role("alert")

    alert.get_by_text("this browser is too old for it").wait_for()
    assert "ladle play ramen_ramen greedy greedy" in alert.inner_text()
