"""Forms that follow a choice, and charts that can be read."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site, screenshots
from tests.browser.seeding import COOK
from tests.browser.test_pages import serious
from tests.factories import PASSWORD

pytestmark = pytest.mark.browser


def sign_in(page: Page, site: Site) -> None:
    page.goto(f"{site.url}/sign-in/")
    page.get_by_label("Name", exact=True).fill(COOK)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="My bots").first.wait_for(state="attached")


def test_a_tournament_form_has_a_format_for_every_board(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor()
    sign_in(page, site)
    page.goto(f"{site.url}/tournaments/new/")
    board = page.get_by_label("Board", exact=True)
    chosen = page.locator("[name=format]:checked:enabled")

    for value in board.locator("option").evaluate_all("(all) => all.map(({ value }) => value)"):
        board.select_option(value)
        expect(chosen).to_have_count(1)


def test_an_operators_charts_are_read_by_pointer_finger_and_keys(
    visitor: Callable[..., Page], site: Site
) -> None:
    site.shell(
        "from ladder.models import User;"
        f"User.objects.filter(username={COOK!r}).update(is_staff=True, is_superuser=True)"
    )
    page = visitor(
        viewport={"width": 1280, "height": 800}, has_touch=True, timezone_id="Asia/Tokyo"
    )
    sign_in(page, site)
    page.goto(f"{site.url}/admin/kitchen/")
    chart = page.get_by_role("img", name="Matches per minute")
    reading = page.locator(".chart-reading").first
    told = re.compile(r"\w+ \d+, \d\d:\d\d GMT\+9: matches per minute: [\d.]+")
    assert serious(page) == []
    for width, height, scheme in (
        (1280, 800, "light"), (1280, 800, "dark"), (390, 844, "light"), (390, 844, "dark"),
    ):  # fmt: skip
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=screenshots() / f"kitchen-{width}-{scheme}.png", full_page=True)
    page.set_viewport_size({"width": 1280, "height": 800})

    box = chart.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(reading).to_have_text(told)
    by_pointer = reading.inner_text()
    chart.focus()
    page.keyboard.press("ArrowRight")
    expect(reading).not_to_have_text(by_pointer)
    page.keyboard.press("Home")
    expect(reading).to_have_text(told)
    first = reading.inner_text()
    page.touchscreen.tap(box["x"] + box["width"] * 0.9, box["y"] + box["height"] / 2)
    expect(reading).not_to_have_text(first)

    page.goto(f"{site.url}/admin/")
    expect(page.get_by_role("link", name="Workers and queue")).to_be_visible()
    background = """[document.body, document.documentElement].map((node) => (
      getComputedStyle(node).backgroundColor)).find((colour) => colour !== "rgba(0, 0, 0, 0)")"""
    font = "getComputedStyle(document.body).fontFamily"
    admin = [page.evaluate(background), page.evaluate(font)]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=screenshots() / f"operate-1280-{scheme}.png")
    page.emulate_media(color_scheme="dark")
    page.goto(f"{site.url}/")
    assert admin == [page.evaluate(background), page.evaluate(font)]
