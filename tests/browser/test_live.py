"""A match is watched while it is played."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import screenshots

pytestmark = [pytest.mark.browser, pytest.mark.jail]

# A match under way, told step by step as its worker would: the browser sets the pace, not a bot.
START = """
import os
from django.db import transaction
from ladder.models import Match
from ladder.services.broadcasts import Camera
from tests.factories import make_bot, make_match, make_user
from tests.local_play import record_of
owner = make_user(f"patience{os.getpid()}")
bots = [make_bot(owner, name=f"Slow Cooker {os.getpid()} {n}", seat_counts=[2],
                 source=f"def decide(view):\\n    return view['legal'][{n} - 1]\\n")
        for n in (1, 2)]
with transaction.atomic():  # no worker of the site is quicker
    made = make_match(*bots, seed=1)
    match = Match.all_objects.filter(pk=made.pk).claim_next("browser")
Camera(match)._tell(record_of(match).plays[0].played.replay.cut(20))
print(match.pk)
"""
GO_ON = """
from ladder.models import Match
from ladder.services import matches
from ladder.services.broadcasts import Camera
from tests.local_play import record_of
match = Match.all_objects.get(pk={match})
matches.renew(match)
Camera(match)._tell(record_of(match).plays[0].played.replay.cut(40))
"""
END = """
from ladder.models import Match
from ladder.services import matches
from tests.local_play import record_of
match = Match.all_objects.get(pk={match})
assert matches.finish(match, record_of(match))
"""


def move(page) -> int:
    return int(re.search(r"(\d+) of", page.locator(".where").inner_text())[1])


def test_a_running_match_is_followed_to_its_end(visitor, site):
    [match] = site.shell(START)
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
    site.shell(GO_ON.format(match=match))
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

    site.shell(END.format(match=match))
    page.locator(".caption.over").wait_for()
    expect(page.get_by_role("button", name="Live", exact=True)).to_be_hidden()
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Open the replay").click()
    page.get_by_role("button", name="More").click()
    expect(page.get_by_role("link", name="Replay file")).to_be_visible()
