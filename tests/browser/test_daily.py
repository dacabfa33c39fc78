"""The daily deal in the browser: one counted try, which a reload continues."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, screenshots
from tests.browser.test_pages import serious
from tests.browser.test_play import SETTLED, is_over, pick_on_the_board
from tests.browser.test_thumbs import PHONE

pytestmark = pytest.mark.browser

DEAL = "from ladder.services import daily\nwhile daily.deal_today(): pass"


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
