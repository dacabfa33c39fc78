"""An author writes a bot in real Chromium, tries it and hands it in, without a terminal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PASSWORD, Site, screenshots
from tests.browser.test_pages import serious

pytestmark = pytest.mark.browser

TALKS = """\
from dataclasses import dataclass

@dataclass
class Move:
    text: str

def decide(view):
    print('I see', view['kind'])
    return Move(view['legal'][0]).text
"""
SLIPS = "def decide(view):\n    return view['no such field']\n"
LOOPS = "def decide(view):\n    while True: pass\n"
IN_JAVASCRIPT = (
    "function decide(view) {\n  console.log('I see', view.kind);\n  return view.legal[0];\n}\n"
)
THROWS = "function decide(view) {\n  return view.nothing.here;\n}\n"


def write(page: Page, source: str, language: str = "Python") -> None:
    page.get_by_role("textbox", name=f"Your bot, in {language}").click()
    page.keyboard.press("Control+A")
    # Typed over a selection, Chromium would keep its colour by a style, which the policy refuses.
    page.keyboard.press("Delete")
    page.keyboard.insert_text(source)


def done(page: Page) -> str:
    page.locator("#workshop:not([data-running])").wait_for(timeout=60_000)
    return page.locator(".writing .told").inner_text()


def test_a_bot_is_written_tried_and_handed_in_by_someone_who_joins_on_the_way(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800}, color_scheme="dark")
    page.clock.install()
    page.goto(f"{site.url}/play/ramen_ramen/bot/")
    write(page, "view[")
    page.keyboard.type("'fri")
    page.get_by_role("option", name="fridge").click()
    write(page, SLIPS)
    page.get_by_role("button", name="Run one play").click()
    page.get_by_text("Your bot failed: the bot raised KeyError('no such field').").wait_for(
        timeout=60_000
    )
    assert "line 2, in decide" in done(page)

    write(page, LOOPS)
    page.get_by_role("button", name="Run one play").click()
    page.locator("#workshop[data-running=bot]").wait_for()
    page.clock.fast_forward(11_000)
    assert "Your bot failed: the bot did not answer for 10 seconds. Is it stuck" in done(page)
    page.locator(".decision").get_by_text("It did not answer.").wait_for()

    write(page, TALKS)
    page.get_by_role("button", name="Run one play").click()
    page.locator(".decision").get_by_text("It has not been asked yet.").wait_for()
    page.get_by_role("button", name="To the end").click()
    page.locator(".decision").get_by_text("I see").wait_for()
    page.screenshot(path=screenshots() / "workshop.png")
    assert serious(page) == []
    page.get_by_role("button", name="Run 20 sets").click()
    page.get_by_text("After 20 of 20 sets it wins").wait_for(timeout=60_000)
    done(page)
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("Ready to submit").wait_for(timeout=60_000)

    page.get_by_role("link", name="Submit it").click()
    page.get_by_role("main").get_by_role("link", name="Join").click()
    page.get_by_label("Name", exact=True).fill("writer")
    page.get_by_label("Email").fill("writer@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()

    page.get_by_role("button", name="Upload").wait_for()
    assert page.get_by_label("or paste it here").input_value() == TALKS
    assert page.get_by_role("radio", name="Ramen! Ramen!").is_checked()


def test_a_bot_in_javascript_has_its_own_starter_draft_prints_and_lines(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport={"width": 390, "height": 844})
    page.goto(f"{site.url}/play/ramen_ramen/bot/")
    page.get_by_label("Language").select_option("JavaScript")
    editor = page.get_by_role("textbox", name="Your bot, in JavaScript")
    editor.get_by_text("// A bot for Ramen! Ramen!, to start from").wait_for()
    page.get_by_role("button", name="Run one play").click()
    page.get_by_text("Played one game, no errors.").wait_for(timeout=60_000)

    write(page, "function decide(view) { return view.", "JavaScript")
    page.keyboard.type("fri")
    page.get_by_role("option", name="fridge").click()
    write(page, THROWS, "JavaScript")
    page.get_by_role("button", name="Run one play").click()
    page.get_by_text("Your bot failed: the bot raised TypeError").wait_for()
    assert "bot.js:2:" in done(page)

    write(page, "function decide(view) {\n  return view.legal[0;\n}\n", "JavaScript")
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("It cannot be loaded: bot.js, line 2: ").wait_for()

    write(page, IN_JAVASCRIPT, "JavaScript")
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("Ready to submit").wait_for(timeout=60_000)
    page.get_by_role("button", name="Run one play").click()
    page.get_by_text("Played one game, no errors.").wait_for()
    page.get_by_role("slider").press("End")
    page.get_by_role("button", name="Inside").click()
    page.locator(".decision").get_by_text("I see").wait_for()
    page.screenshot(path=screenshots() / "workshop-phone.png", full_page=True)
    assert serious(page) == []

    page.get_by_label("Language").select_option("Python")
    page.get_by_role("textbox", name="Your bot, in Python").get_by_text("def decide").wait_for()
    page.get_by_label("Language").select_option("JavaScript")
    page.get_by_text("I see").first.wait_for()
    page.get_by_role("link", name="Submit it").click()
    assert "draft%3Dramen_ramen.js" in page.url  # on the way to sign in
