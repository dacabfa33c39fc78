"""A match is watched while it is played."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import screenshots

pytestmark = [pytest.mark.browser, pytest.mark.jail]

# The first play takes some seconds; in the second one the bots sit on each other's seats.
SLOW_MATCH = """
from tests.factories import make_bot, make_match, make_user
source = '''
import time
def decide(view):
    if view["seat"] == SEAT:
        time.sleep(0.25)
    return view["legal"][0]
'''
owner = make_user("patience")
bots = [
    make_bot(owner, name=f"Slow Cooker {seat + 1}", source=source.replace("SEAT", str(seat)))
    for seat in range(2)
]
print(make_match(*bots, seed=1).pk)
"""


def move(page) -> int:
    return int(re.search(r"(\d+) of", page.locator(".where").inner_text())[1])


def test_a_running_match_is_followed_to_its_end(visitor, site):
    [match] = site.shell(SLOW_MATCH)
    page = visitor(viewport={"width": 1280, "height": 800})
    page.goto(f"{site.url}/matches/{match}/")
    live = page.get_by_role("link", name="Watch live")
    live.wait_for()
    page.screenshot(path=screenshots() / "live-match-1280.png")

    home = visitor(viewport={"width": 390, "height": 844}, reduced_motion="no-preference")
    home.goto(site.url)
    table = home.locator(f"[data-match='{match}']")
    expect(table.get_by_text("live", exact=True)).to_be_visible()
    expect(table.locator(".featured-table[data-ready] .table")).to_be_visible()
    home.screenshot(path=screenshots() / "live-home-390.png")

    live.click()
    page.get_by_role("button", name="Live", exact=True).wait_for()
    first = move(page)
    expect(page.locator(".where")).not_to_have_text(re.compile(rf"Move {first} of"))
    assert move(page) > first
    page.screenshot(path=screenshots() / "live-theatre-1280.png")
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("button", name="Live", exact=True)).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.screenshot(path=screenshots() / "live-theatre-390.png")
    # Who goes back is left there while the play goes on, and comes back by one click.
    page.keyboard.press("Home")
    expect(page.locator(".where")).not_to_have_text(page.locator(".where").inner_text())
    assert move(page) == 0
    page.get_by_role("button", name="Live", exact=True).click()
    assert move(page) > first

    page.locator(".caption.over").wait_for()
    expect(page.get_by_role("button", name="Live", exact=True)).to_be_hidden()
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Open the replay").click()
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("link", name="Replay file")).to_be_visible()
