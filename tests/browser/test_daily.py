"""The daily deal: one counted try, which a reload continues. Puzzles, by thumb and by keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, screenshots
from tests.browser.test_pages import serious
from tests.browser.test_play import SETTLED, is_over, pick_on_the_board
from tests.browser.test_thumbs import PHONE, decide

pytestmark = pytest.mark.browser

DEAL = "from ladder.services import daily\nwhile daily.deal_today(): pass"
ASKED = "#theatre[data-asked][data-ready]"  # of a puzzle whose board has its size
JUDGED = "#theatre[data-over]"


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, PHONE], ids=["large", "phone"])
def test_a_guest_plays_the_deal_of_the_day_once(
    visitor: Callable[..., Page], site: Site, size: dict[str, int]
) -> None:
    site.shell(DEAL)
    page = visitor(viewport=size)
    page.goto(f"{site.url}/daily/")
    assert serious(page) == []
    page.screenshot(path=screenshots() / f"daily-{size['width']}.png", full_page=True)
    page.get_by_role("link", name="Play today's deal of Ramen! Ramen!").click()
    page.get_by_role("button", name="Start today's deal").click()
    page.locator(SETTLED).wait_for()
    assert not page.get_by_role("button", name="Take back").count()
    pick_on_the_board(page)
    page.locator(SETTLED).wait_for()
    moves = page.locator("#theatre").get_attribute("data-asked")

    page.reload()
    page.get_by_role("button", name="Continue your try").click()
    page.locator(SETTLED).wait_for()
    assert page.locator("#theatre").get_attribute("data-asked") == moves
    page.get_by_label("Pace of the bots").select_option("Instant")
    while not is_over(page):
        pick_on_the_board(page)
        page.locator(SETTLED).wait_for()

    expect(page.locator(".daily-result")).to_contain_text("Checked by the server.")
    expect(page.locator(".daily-result")).to_contain_text("Your streak: 1 day.")
    assert page.locator(".daily-house li").count() >= 3
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.screenshot(path=screenshots() / f"daily-end-{size['width']}.png", full_page=True)
    page.locator(".daily-result").get_by_role("link", name="See the table").click()
    page.get_by_role("heading", name="Ramen! Ramen!: deal of").wait_for()
    assert serious(page) == []
    page.screenshot(path=screenshots() / f"daily-table-{size['width']}.png", full_page=True)
    page.get_by_role("link", name="Play today's deal").click()
    page.get_by_role("button", name="Practise this deal").wait_for()


def test_the_puzzle_of_the_day_is_answered_by_thumb_without_scrolling(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"{site.url}/puzzles/")
    page.get_by_role("link", name="Solve the puzzle of the day").click()
    page.locator(ASKED).wait_for()

    decide(page)

    page.locator(JUDGED).wait_for()
    assert page.locator(".verdict .result").inner_text() in ("Right!", "Not the best move.")
    page.get_by_text("to get a puzzle rating").wait_for()
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.screenshot(path=screenshots() / "puzzle-phone.png")


def test_a_puzzle_is_answered_by_keys_in_the_list_and_the_next_one_follows(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor()
    page.goto(f"{site.url}/puzzles/")
    page.locator(".puzzles a").first.click()
    page.locator(ASKED).wait_for()
    first = page.url

    page.locator(".choices-list button").first.focus()
    page.keyboard.press("Enter")

    page.locator(JUDGED).wait_for()
    assert page.locator(".choices-list button:enabled").count() == 0
    page.get_by_role("link", name="Next puzzle").click()
    page.locator(ASKED).wait_for()
    assert page.url != first
