"""Motion shows why points changed: a figure at its cause, for each seat that gains or loses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from engine.games import GAMES
from tests.browser.test_theatre import of_a_board

pytestmark = pytest.mark.browser

# Steps through the whole play; at each frame, what points changed by and what the figures say.
WALK = """() => {
  const chips = document.querySelectorAll(".chips .points");
  const points = () => [...chips].map((node) => Number(node.textContent));
  const forward = document.querySelector("button[aria-label='Step forward']");
  const timeline = document.querySelector("[aria-label=Timeline]");
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const found = [];
  const isOn = () => Number(timeline.value) < Number(timeline.max) - 1;
  for (let before = points(); isOn(); before = points()) {
    forward.click();
    const told = before.map(() => 0);
    // A step of several sentences keeps its figures until the last of them.
    const figures = [...document.querySelectorAll(".gains text:not([data-seen])")];
    for (const { dataset } of figures) {
      told[dataset.seat] += Number(dataset.by);
      dataset.seen = "";
    }
    const outside = figures.filter((node) => {
      const { left, right, top, bottom } = node.getBoundingClientRect();
      return left < stage.left || right > stage.right || top < stage.top || bottom > stage.bottom;
    });
    const changed = points().map((now, seat) => now - before[seat]);
    found.push({ at: timeline.value, changed, told, outside: outside.length });
  }
  return found;
}"""


@pytest.mark.parametrize("game", GAMES)
def test_each_change_of_points_has_its_figure_on_the_board(
    visitor: Callable[..., Page], seen: Callable[[str], str], game: str
) -> None:
    page = visitor()
    changes = 0
    for seats, width, height in ((2, 1280, 800), (GAMES[game].seats[-1], 390, 844)):
        page.unroute_all()
        of_a_board(page, game, seats)
        page.set_viewport_size({"width": width, "height": height})
        page.goto(seen(game) + "#step=0")
        page.reload()
        page.get_by_role("button", name="Play", exact=True).wait_for()
        page.get_by_label("Timeline").fill("0")
        for one in page.evaluate(WALK):
            assert one["told"] == one["changed"], one
            assert not one["outside"], one
            changes += any(one["changed"])
    assert changes >= 4


def test_a_figure_travels_where_motion_is_wanted_and_stands_where_it_is_not(
    visitor: Callable[..., Page], seen: Callable[[str], str]
) -> None:
    page = visitor(reduced_motion="no-preference")
    of_a_board(page, "ramen_ramen", 2)
    page.goto(seen("ramen_ramen") + "#step=0")
    page.reload()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    forward = page.get_by_role("button", name="Step forward")
    figure = page.locator(".gains text")
    while not figure.count():
        forward.click()

    place = "(node) => node.getBoundingClientRect().y"
    began = figure.first.evaluate(place)
    page.wait_for_function(
        "(began) => document.querySelector('.gains text').getBoundingClientRect().y > began + 40",
        arg=began,
    )
    page.emulate_media(reduced_motion="reduce")
    page.get_by_role("button", name="Step back").click()
    forward.click()
    assert figure.first.evaluate("(node) => node.getAnimations().length") == 0
