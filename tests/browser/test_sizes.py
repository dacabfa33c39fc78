"""How large boards are drawn: the smallest text, use of the stage, hands and what can be touched.

The figures of a game lie in `build/sizes-GAME.txt` and `build/targets-GAME.txt`; `python -m
tests.browser.sizes` makes the table SIZES.md of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.games import GAMES
from tests.browser.conftest import Site
from tests.browser.test_play import after, is_over, press_in_the_list, sit_down
from tests.browser.test_theatre import BOARDS, NEXT_PAINT, of_a_board
from tests.servers import ROOT

pytestmark = pytest.mark.browser

SCREENS = [(1280, 800), (390, 844)]
SMALLEST = 10  # pixels

# The smallest text, and the share of the stage that the drawing's frame takes.
SIZES = """() => {
  const table = document.querySelector("svg.table");
  const stage = table.parentNode.getBoundingClientRect();
  const texts = [...table.querySelectorAll("text")].filter((node) => node.textContent.trim());
  const sizes = texts.map((node) => {
    const { a, b } = node.getScreenCTM();
    return [Math.hypot(a, b) * parseFloat(getComputedStyle(node).fontSize), node.textContent];
  });
  const [smallest, words] = sizes.reduce((one, other) => (other[0] < one[0] ? other : one));
  const [, , width, height] = table.getAttribute("viewBox").split(" ").map(Number);
  const unit = table.getScreenCTM().a;
  return { smallest, words, use: unit * unit * width * height / (stage.width * stage.height) };
}"""


@pytest.mark.parametrize("game", GAMES)
def test_no_text_on_a_board_is_smaller_than_ten_pixels(
    visitor: Callable[..., Page], seen: Callable[[str], str], game: str
) -> None:
    page = visitor()
    found = []
    for seats in [seats for slug, seats in BOARDS if slug == game]:
        page.unroute_all()
        of_a_board(page, game, seats)
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.goto(seen(game))
            page.get_by_role("button", name="Play", exact=True).wait_for()
            last = int(page.get_by_label("Timeline").get_attribute("max") or 0)
            for at in (last // 3, 4 * last // 5, last):
                page.get_by_label("Timeline").fill(str(at))
                page.evaluate(NEXT_PAINT)
                found.append((f"{game} {seats} at {width}x{height}", page.evaluate(SIZES)))
    rows: dict[str, dict[str, Any]] = {}
    for board, one in found:
        if board not in rows or one["smallest"] < rows[board]["smallest"]:
            rows[board] = one
    lines = [
        f"{board}: {one['smallest']:.1f} px ({one['words']}), {one['use']:.0%} of the stage\n"
        for board, one in rows.items()
    ]
    (ROOT / "build" / f"sizes-{game}.txt").write_text("".join(lines), encoding="utf-8")

    assert [board for board, one in rows.items() if one["smallest"] < SMALLEST] == []


# What somebody holds, by game, and how high it is at least on a desk: 70 pixels.
HELD = {
    "hot_ramen": "[data-pick^=face]",  # there is no hand: the dice that were rolled
    "potage_sauvage": "[data-pick]:not([data-pick^=recipe])",
    "ramen_ramen": "[data-pick]:not([data-pick^=bowl])",
    "safranito": ".b-safranito-own [class*=b-safranito-card]",
}
HAND = 70
# Where the moves need most of a phone, the cards of five or six seats get small: 7.7 pixels.
LOOKED_AT = {"hot_ramen", "potage_sauvage", "safranito"}  # in play; Ramen! Ramen! is still to be
CROWDED = {"hot_ramen 5 at 390x844", "hot_ramen 6 at 390x844"}
FEWEST, MOST = 5, 40  # decisions: in Safranito nobody holds a card before the first market
# The heights of what is held, the lowest on the screen first.
HANDS = """(held) => [...document.querySelectorAll(`.stage ${held}`)]
  .map((node) => (node.querySelector("rect") ?? node).getBoundingClientRect())
  .sort((a, b) => b.bottom - a.bottom).map(({ height }) => height)"""
# The smaller side of what can be touched now: on the board what is marked, but what is too small
# for a thumb has a button, in the bar below or in the list beside it.
TOUCHED = """(least) => {
  const side = (node) => {
    const { width, height } = node.getBoundingClientRect();
    return Math.min(width, height);
  };
  const shown = (node) => node.checkVisibility();
  const board = [...document.querySelectorAll(".stage .pickable, .b-safranito-aim-grip")];
  const buttons = [...document.querySelectorAll(".tray-buttons button, .choices-list button")];
  return [...board.map(side).filter((one) => one >= least), ...buttons.filter(shown).map(side)];
}"""


@pytest.mark.parametrize("game", GAMES)
def test_at_play_hands_are_seventy_pixels_high_texts_ten_and_targets_fit_a_thumb(
    visitor: Callable[..., Page], site: Site, game: str
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800}, has_touch=True)
    hands, targets, texts = {}, {}, {}
    for seats in [seats for slug, seats in BOARDS if slug == game]:
        page.set_viewport_size({"width": 1280, "height": 800})
        sit_down(page, site, game, f"seed=7&seats={seats}")
        page.get_by_label("Pace of the bots").select_option("Instant")
        board = ""
        for decision in range(MOST):
            if is_over(page) or (decision >= FEWEST and board in hands):
                break
            for width, height in SCREENS:
                page.set_viewport_size({"width": width, "height": height})
                page.evaluate(NEXT_PAINT)
                board = f"{game} {seats} at {width}x{height}"
                sides = page.evaluate(TOUCHED, 43.5 if width == 390 else 24)
                targets[board] = min([targets.get(board, 1000), *sides])
                drawn = page.evaluate(SIZES)
                texts[board] = min(
                    texts.get(board, (1000, "")), (drawn["smallest"], drawn["words"])
                )
                held = page.evaluate(HANDS, HELD[game])
                if held:
                    hands[board] = min(hands.get(board, 1000), held[0])
            page.set_viewport_size({"width": 1280, "height": 800})
            after(page, lambda: press_in_the_list(page))
    lines = [
        f"{board}: {side:.1f} px to touch, {hands.get(board, 0):.1f} px held, "
        f"{texts[board][0]:.1f} px in play ({texts[board][1]})\n"
        for board, side in targets.items()
    ]
    (ROOT / "build" / f"targets-{game}.txt").write_text("".join(lines), encoding="utf-8")

    small = {board for board, one in texts.items() if one[0] < SMALLEST}
    assert small <= CROWDED or game not in LOOKED_AT
    assert {board: one for board, one in targets.items() if "390x" in board and one < 43.5} == {}
    low = {board for board, one in hands.items() if "1280x" in board and one < HAND}
    assert low == set()
    assert {f"{game} {seats} at 1280x800" for slug, seats in BOARDS if slug == game} <= hands.keys()


# Two that begin alike, two that end alike, two that differ in the middle.
ALIKE = [
    "Second Helping of Broth (1)",
    "Second Helping of Broth (2)",
    "Second Serving of Broth (1)",
    "The Quick Miso of the Night",
    "The Quick Shio of the Night",
    "Second Helping of Brothy Beans",
]
WRITTEN = """() => [...document.querySelectorAll("svg.table text[class*=-name]")]
  .map((node) => node.textContent.replace("▸ ", "")).filter((words) => !/HP|^out/.test(words))"""


@pytest.mark.parametrize("game", GAMES)
def test_no_two_names_on_one_table_are_cut_alike(
    visitor: Callable[..., Page], seen: Callable[[str], str], game: str
) -> None:
    page = visitor()
    for seats in [seats for slug, seats in BOARDS if slug == game]:
        for first in range(len(ALIKE) - seats + 1):
            page.unroute_all()
            of_a_board(page, game, seats, ALIKE[first:])
            page.goto(seen(game))
            page.get_by_role("button", name="Play", exact=True).wait_for()
            last = int(page.get_by_label("Timeline").get_attribute("max") or 0)
            for width, height in SCREENS:
                page.set_viewport_size({"width": width, "height": height})
                page.get_by_label("Timeline").fill(str(last // 3))
                page.evaluate(NEXT_PAINT)
                names = page.evaluate(WRITTEN)
                assert len(names) == len(set(names)) == seats, (width, names)
