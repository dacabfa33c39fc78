"""Analysing a play in the visitor's tab: one click, the numbers of CPython, no server."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from engine.analysis.analyst import analyst_for
from engine.analysis.run import analyse
from engine.games import GAMES
from engine.replay import read
from tests.browser.conftest import screenshots

pytestmark = [pytest.mark.browser, pytest.mark.jail]

QUICK = analyst_for(GAMES["ramen_ramen"]).budgets["quick"]


def analysed(page: Page) -> Page:
    """Ask for the analysis and wait for its first pass."""
    page.get_by_role("button", name="Analysis", exact=True).click()
    page.get_by_role("button", name="Analyse this play").click()
    page.locator(".analysis[data-worlds]").wait_for()
    return page


def downloaded(page: Page) -> dict:
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download the analysis").click()
    return json.loads(Path(coming.value.path()).read_text())


def test_one_click_finds_the_numbers_of_cpython_and_shows_them(theatre):
    page = analysed(theatre("ramen_ramen", viewport={"width": 1280, "height": 800}))
    cancel = page.get_by_role("button", name="Cancel")
    if cancel.is_visible():
        cancel.click()  # the closer look is not needed here
    told = downloaded(page)

    replay = read(urllib.request.urlopen(page.url.split("#")[0] + "replay.json.gz").read())
    assert told == json.loads(analyse(replay, QUICK).to_bytes())
    marked = [one for one in told["decisions"] if one["mark"]]
    assert marked
    page.get_by_role("button", name=f"Next mark ({len(marked)})").click()
    expect(page.locator(".analysis .now")).to_contain_text(marked[0]["sentence"])
    expect(page.locator(".expectation .dot")).to_have_count(len(marked))
    expect(page.locator(".balance dd").first).to_contain_text(" by 50: luck ")
    page.screenshot(path=screenshots() / "analysis-wide.png")
    page.get_by_role("button", name="Show on the board").click()
    assert page.locator(".stage .advised").count() > 0
    expect(page.locator(".analysis .now")).to_contain_text("Before move")
    page.screenshot(path=screenshots() / "analysis-advised.png")
    page.get_by_role("button", name="Back", exact=True).click()
    page.get_by_role("button", name="Moves", exact=True).click()
    expect(page.locator(".moves .judged:not(.only)")).to_have_count(len(marked))
    page.screenshot(path=screenshots() / "analysis-moves.png")


def test_a_quiz_asks_before_it_tells(theatre):
    page = analysed(theatre("ramen_ramen"))
    told = downloaded(page)
    worst = [one for one in told["decisions"] if one["mark"]]

    page.get_by_role("button", name="Quiz me").click()
    assert page.locator(".moves .judged").count() == 0
    for one in worst:
        page.get_by_role("button", name=one["better"], exact=True).click()
        expect(page.locator(".analysis .now")).to_contain_text(f"Right. {one['sentence']}")
        page.get_by_role("button", name="Next", exact=True).click()

    expect(page.locator(".analysis")).to_contain_text(f"found {len(worst)} of {len(worst)}")
    page.get_by_role("button", name="Show the analysis").click()
    page.locator(".expectation").wait_for()


def test_a_game_that_is_not_validated_shows_a_curve_and_no_marks(theatre):
    page = analysed(
        theatre("safranito", viewport={"width": 390, "height": 844}, color_scheme="dark")
    )

    expect(page.locator(".analysis .notice")).to_contain_text("has not been validated")
    expect(page.locator(".expectation .curve")).to_have_count(1)
    assert page.locator(".analysis .judged").count() == 0
    page.screenshot(path=screenshots() / "analysis-phone.png", full_page=True)


def test_an_analysis_can_be_cancelled_and_asked_for_again(theatre):
    page = theatre("hot_ramen")
    page.get_by_role("button", name="Analysis", exact=True).click()
    page.get_by_role("button", name="Analyse this play").click()
    expect(page.locator(".analysis [role=status]")).to_contain_text(re.compile("quick look"))
    page.get_by_role("button", name="Cancel").click()

    again = page.get_by_role("button", name="Analyse this play")

    expect(again).to_be_visible()
    assert page.locator(".analysis[data-worlds]").count() == 0
