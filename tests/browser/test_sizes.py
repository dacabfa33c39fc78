"""How large boards are drawn: the smallest text and how much of its stage a table fills.

The figures of a game lie in `build/sizes-GAME.txt`; `python -m tests.browser.sizes` makes
the table SIZES.md of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from engine.games import GAMES
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
