"""Puzzles in the browser: by thumb on the board of a phone, and by keys in the list."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site, screenshots
from tests.browser.test_thumbs import PHONE, decide

pytestmark = pytest.mark.browser

JUDGED = "#theatre[data-over]"


def test_the_puzzle_of_the_day_is_answered_by_thumb_without_scrolling(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"{site.url}/puzzles/")
    page.get_by_role("link", name="Solve the puzzle of the day").click()
    page.locator("#theatre[data-asked]").wait_for()

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
    page.locator("#theatre[data-asked]").wait_for()
    first = page.url

    page.locator(".choices-list button").first.focus()
    page.keyboard.press("Enter")

    page.locator(JUDGED).wait_for()
    assert page.locator(".choices-list button:enabled").count() == 0
    page.get_by_role("link", name="Next puzzle").click()
    page.locator("#theatre[data-asked]").wait_for()
    assert page.url != first
