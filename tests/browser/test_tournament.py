"""An organiser makes a tournament by the form, and anyone follows its bracket to the end."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.jail]


def test_an_organiser_runs_a_knockout_and_a_visitor_follows_its_bracket(visitor, site):
    page = visitor()
    page.goto(f"{site.url}/sign-up/")
    page.get_by_label("Name", exact=True).fill("organiser")
    page.get_by_label("Email").fill("organiser@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()

    page.get_by_role("link", name="Tournaments", exact=True).click()
    page.get_by_role("link", name="New tournament").click()
    page.get_by_label("Name", exact=True).fill("Browser Cup")
    page.get_by_label("Board", exact=True).select_option(label="Ramen! Ramen! · 2 players")
    page.get_by_role("radio", name="Single elimination").check()
    page.get_by_role("spinbutton", name="Places").fill("3")
    preview = page.get_by_role("complementary", name="Preview")
    expect(preview).to_contain_text("A bye for the best seed")
    page.get_by_role("button", name="Create tournament").click()

    for name in ("House Random", "House Greedy", "House Chef"):
        page.get_by_label("Add a bot by name").fill(name)
        page.get_by_role("button", name="Enrol").click()
        expect(page.get_by_text(f"{name} takes part.")).to_be_visible()
    page.get_by_role("button", name="Start now").click()

    follower = visitor(viewport={"width": 390, "height": 800})
    follower.goto(page.url)
    expect(follower.get_by_text("Champion")).to_be_visible(timeout=90_000)
    bracket = follower.get_by_role("group", name="Bracket")
    bracket.get_by_role("link").last.click()
    expect(follower.get_by_role("heading", level=1)).to_contain_text("Match")
