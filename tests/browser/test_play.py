"""A person sits down in real Chromium and plays: on the board, in the list, by drag and by keys."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from engine.games import GAMES
from engine.replay import read, verify
from tests.browser.conftest import Site, screenshots
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


def drag_or_press(page: Page) -> None:
    """A throw is dragged from one's own edge to a bowl in the middle; the rest is pressed."""
    disc = page.locator(".b-safranito-aim-disc")
    if not disc.count():
        return press_in_the_list(page)
    box = disc.bounding_box()
    felt = page.locator(".b-safranito-felt").bounding_box()
    assert box and felt
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(felt["x"] + felt["width"] * 0.4, felt["y"] + felt["height"] * 0.4, steps=3)
    page.mouse.move(felt["x"] + felt["width"] / 2, felt["y"] + felt["height"] / 2)
    page.mouse.up()


WAYS = {
    "ramen_ramen": pick_on_the_board,
    "hot_ramen": press_in_the_list,
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

    page.get_by_role("button", name="Verify on the server").click()
    page.get_by_text("Verified by the server:").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the replay").click()
    path = tmp_path / "play.json.gz"
    download.value.save_as(path)
    page.screenshot(path=screenshots() / f"play-{game}-over.png")
    page.get_by_role("button", name="Watch it again").click()
    page.get_by_role("button", name="To the end").click()

    replay = read(path.read_bytes())
    verify(GAMES[game], replay)
    assert [player.bot for player in replay.players] == ["Guest", "House Greedy"]
    assert replay.seed == 7
    told = subprocess.run([BIN / "ladle", "verify", path], capture_output=True, text=True)
    assert "ok, " in told.stdout, told.stderr
    if game == "safranito":
        throws = [e["action"] for e in replay.log if e.get("seat") == 0 and e["kind"] == "throw"]
        assert all(">200," in throw for throw in throws[:3])
