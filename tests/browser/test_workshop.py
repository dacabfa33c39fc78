"""An author writes a bot in real Chromium, tries it and hands it in, without a terminal."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests import factories
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
    page.locator(".cm-line.faulty").get_by_text("return view['no such field']").wait_for()
    page.locator(".fault-message").get_by_text("KeyError: 'no such field'").wait_for()
    write(page, "def decide(view):\n    return (view\n")
    page.keyboard.press("Control+Enter")
    page.get_by_text("It cannot be loaded: bot.py, line 2").wait_for()
    page.locator(".cm-line.faulty").get_by_text("return (view").wait_for()
    page.locator(".fault-message").get_by_text("was never closed").wait_for()

    write(page, LOOPS)
    page.keyboard.press("Control+Enter")
    page.locator("#workshop[data-running=bot]").wait_for()
    page.clock.fast_forward(11_000)
    assert "Your bot failed: the bot did not answer for 10 seconds. Is it stuck" in done(page)
    page.locator(".decision").get_by_text("It did not answer.").wait_for()

    write(page, TALKS)
    page.get_by_role("button", name="Run one play").click()
    page.locator(".decision").get_by_text("It has not been asked for a move yet.").wait_for()
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
    page.get_by_role("region", name="Your bot").get_by_text("the bot raised TypeError").wait_for()
    assert "bot.js:2:" in done(page)
    page.locator(".cm-line.faulty").get_by_text("return view.nothing.here;").wait_for()

    write(page, "function decide(view) {\n  return view.legal[0;\n}\n", "JavaScript")
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("It cannot be loaded: bot.js, line 2: ").wait_for()
    page.locator(".cm-line.faulty").get_by_text("view.legal[0;").wait_for()

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


PICKS = "from pans.small import pick\n\ndef decide(view):\n    return pick(view['legal'])\n"
FAILS_BESIDE = "def pick(legal):\n    return legal['none']\n"
PICK = "def pick(legal):\n    return legal[0]\n"


def sign_in(page: Page, site: Site, name: str) -> None:
    site.shell(f"from tests.factories import make_user; make_user('{name}')")
    page.goto(f"{site.url}/sign-in/?next=/play/ramen_ramen/bot/")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Password", exact=True).fill(factories.PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def test_a_bot_of_several_files_plays_any_opponent_on_a_fixed_seed_and_follows_the_account(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    sign_in(page, site, "drafter")
    editor = page.locator(".editor")
    editor.wait_for()
    assert editor.bounding_box()["height"] > 330  # of 800, with all buttons in sight

    answers = iter(["no ending", "pans/small.py"])
    page.on("dialog", lambda dialog: dialog.accept(next(answers)))
    write(page, PICKS)
    page.get_by_role("button", name="Add file").click()
    page.get_by_role("button", name="pans/small.py", exact=True).wait_for()
    page.get_by_role("textbox", name="pans/small.py, in Python").click()
    page.keyboard.insert_text(FAILS_BESIDE)
    page.get_by_role("button", name="bot.py").click()
    page.get_by_label("Seed").fill("7")
    page.get_by_label("Against").select_option("House Noodle")  # in JavaScript
    page.keyboard.press("Control+Enter")
    page.locator(".fault-message").get_by_text("TypeError").wait_for(timeout=60_000)
    page.locator(".cm-line.faulty").get_by_text("return legal['none']").wait_for()
    done(page)
    page.screenshot(path=screenshots() / "workshop-fault.png")
    page.get_by_role("textbox", name="pans/small.py, in Python").click()
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(PICK)
    for _ in range(2):
        page.keyboard.press("Control+Enter")
        page.get_by_text("Played one game, no errors.").wait_for(timeout=60_000)
        done(page)
    texts = page.locator(".run-list .run").all_inner_texts()
    assert len(texts) == 3
    assert texts[0] == texts[1]  # the same seed, the same play
    assert "against House Noodle, seed 7" in texts[0]
    page.locator(".run-list .run").last.click()
    page.locator(".decision").get_by_text("TypeError").first.wait_for()

    divider = page.get_by_role("separator", name="Width of the editor")
    before = editor.bounding_box()["width"]
    divider.focus()
    page.keyboard.press("ArrowRight")
    assert editor.bounding_box()["width"] > before + 20
    page.screenshot(path=screenshots() / "workshop-runs.png")
    assert serious(page) == []

    page.keyboard.press("Control+s")
    page.get_by_text("Saved to your account at").wait_for()
    page.get_by_role("button", name="Share").click()
    link = page.locator(".shared a")
    link.wait_for()
    address = link.get_attribute("href")

    stranger = visitor(viewport={"width": 390, "height": 844}, color_scheme="dark")
    stranger.goto(address)
    stranger.get_by_text("from pans.small import pick").wait_for()
    stranger.screenshot(path=screenshots() / "shared-draft-phone.png")
    assert serious(stranger) == []
    stranger.get_by_role("link", name="Open a copy in the workshop").click()
    stranger.get_by_role("button", name="pans/small.py").wait_for()
    stranger.get_by_role("button", name="Run one play").click()
    stranger.get_by_text("Played one game, no errors.").wait_for(timeout=60_000)
    stranger.screenshot(path=screenshots() / "workshop-shared-phone.png", full_page=True)

    page.evaluate("localStorage.clear()")  # as on another device
    page.goto(f"{site.url}/play/ramen_ramen/bot/")
    page.get_by_role("button", name="pans/small.py").wait_for()
    page.get_by_role("textbox", name="Your bot, in Python").get_by_text("import pick").wait_for()
    write(page, PICKS + "\n")
    page.get_by_text("Not saved to your account yet.").wait_for()
    page.get_by_text("Saved to your account at").wait_for()  # by itself
    page.get_by_role("link", name="1 of 50 drafts used.").click()
    page.get_by_role("heading", name="Shared links").wait_for()
    page.screenshot(path=screenshots() / "drafts.png")
    page.goto(f"{site.url}/play/ramen_ramen/bot/")
    page.get_by_role("button", name="pans/small.py").wait_for()
    page.get_by_role("link", name="Submit it").click()
    page.get_by_text("With pans/small.py from the workshop").wait_for()
    page.get_by_label("Name of the bot").fill("Two Pans")
    page.get_by_role("button", name="Upload").last.click()
    page.get_by_text("accepted").first.wait_for()
