"""Every game is played to its end by thumb on a phone: no scrolling, targets of 44 pixels."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from engine.games import GAMES
from tests.browser.conftest import Site, screenshots
from tests.browser.test_play import is_over, sit_down

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
THUMB = 43.5  # of 44 pixels, less what rounding takes
MARKED = ".stage .pickable"
TRAY = ".tray-buttons button:not(.slight)"

# What a thumb can take now, and the middle of each, if the thing itself lies there.
TARGETS = """([marked, tray]) => {
  const large = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return Math.min(width, height) >= 43.5;
  };
  const inTray = [...document.querySelectorAll(tray)];
  return [...[...document.querySelectorAll(marked)].filter(large), ...inTray].map((node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    const hit = document.elementFromPoint(x, y);
    const name = node.dataset.pick ?? node.textContent;
    return { x, y, left, top, width, height, name, hit: Boolean(hit && node.contains(hit)) };
  });
}"""


LOST_MS = 15_000


def fits(box: dict[str, float]) -> bool:
    size = min(box["width"], box["height"]) >= THUMB
    inside = box["left"] >= 0 and box["left"] + box["width"] <= PHONE["width"]
    return size and inside and box["top"] >= 0 and box["top"] + box["height"] <= PHONE["height"]


def throw(page: Page, grip: Locator, rest: tuple[float, float] = (0.5, 0.5)) -> None:
    """Drag the disc, as a finger does, to a point given in shares of the board."""
    box, felt = grip.bounding_box(), page.locator(".b-safranito-felt").bounding_box()
    assert box and felt
    assert fits({"left": box["x"], "top": box["y"], **box}), box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    to = felt["x"] + felt["width"] * rest[0], felt["y"] + felt["height"] * rest[1]
    finger = page.context.new_cdp_session(page)
    way = [(x, y), ((x + to[0]) / 2, (y + to[1]) / 2), to]
    for kind, points in [
        ("touchStart", way[:1]), ("touchMove", way[1:2]), ("touchMove", way[2:]), ("touchEnd", []),
    ]:  # fmt: skip
        touched = [{"x": px, "y": py} for px, py in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touched})
    finger.detach()


def preferred(names: Sequence[str], wanted: Sequence[str], otherwise: int) -> int:
    """The place of the first name that matches the earliest pattern that any name matches."""
    for pattern in wanted:
        for place, name in enumerate(names):
            if re.match(pattern, name):
                return place
    return otherwise % len(names)


def decide(page: Page, wanted: Sequence[str] = (), rest: tuple[float, float] = (0.5, 0.5)) -> None:
    """One decision by touches; every target fits, and the page never scrolls.

    `wanted` are patterns of targets, the best first; `rest` is where a throw should come to rest.
    """
    step = page.locator("#theatre").get_attribute("data-asked")
    gone = f"#theatre:not([data-asked='{step}'])"
    grip = page.locator(".b-safranito-aim-grip")
    if grip.count():
        throw(page, grip, rest)
        page.locator(gone).wait_for()
        return
    touches = lost = 0
    while not page.locator(gone).count():
        targets = page.evaluate(TARGETS, [MARKED, TRAY])
        assert targets, "there is nothing to touch"
        for one in targets:
            assert fits(one), one
        names = [str(one["name"]) for one in targets]
        target = targets[preferred(names, wanted, int(step or 0) + touches)]
        assert target["hit"], target
        page.touchscreen.tap(target["x"], target["y"])
        taken = page.locator(f"{gone}, svg[data-touches='{touches + 1}']").first
        try:
            taken.wait_for(timeout=LOST_MS)
            touches += 1
        except PlaywrightTimeout:  # the board was drawn anew between the look and the touch
            lost += 1
            assert lost < 3, "touches do nothing"
        assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_played_to_its_end_by_thumb_without_scrolling(
    visitor: Callable[..., Page], site: Site, game: str
) -> None:
    page = visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    sit_down(page, site, game)
    page.get_by_label("Pace of the bots").select_option("Instant")
    page.screenshot(path=screenshots() / f"thumb-{game}.png")

    while not is_over(page):
        decide(page)
        page.locator("#theatre[data-asked], #theatre[data-over]").wait_for()

    assert page.evaluate("scrollY") == 0


REFUSED = {  # what is touched at a first decision, and the answer
    "ramen_ramen": ("[data-pick='bowl A']", "Pick a card from your hand first."),
    "hot_ramen": ("[data-pick='market J']", "You need $3 to buy this die."),
    "potage_sauvage": ("[data-pick]:not([data-pick^=recipe])", "Choose a recipe first."),
    "safranito": ("[data-pick^=dish]", "Throw a disc first: drag it from your edge of the board."),
}


@pytest.mark.parametrize("game", GAMES)
def test_a_touch_that_is_no_move_is_answered_with_the_reason(
    visitor: Callable[..., Page], site: Site, game: str
) -> None:
    touched, reason = REFUSED[game]
    page = visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    sit_down(page, site, game)

    page.locator(f".stage {touched}").last.tap()

    page.get_by_role("alert").get_by_text(reason).wait_for()


def test_who_does_not_follow_is_told_what_to_follow(
    visitor: Callable[..., Page], site: Site
) -> None:
    page = visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    sit_down(page, site, "potage_sauvage")
    other = page.locator(".stage [data-pick]:not(.pickable):not([data-pick^=recipe])")
    following = page.locator(".stage").get_by_text("follow", exact=True)
    while not (following.count() and other.count()):
        decide(page)
        page.locator("#theatre[data-asked]").wait_for()

    other.first.tap()

    page.get_by_role("alert").get_by_text("You must follow").wait_for()
