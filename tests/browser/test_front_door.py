"""A newcomer's first quarter of an hour: join, upload, pass the gate, watch the first match."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.games import GAMES
from tests.browser.conftest import PASSWORD

pytestmark = [pytest.mark.browser, pytest.mark.jail]


def test_a_newcomer_uploads_a_bot_and_watches_its_first_match(visitor, site):
    page = visitor()
    page.goto(f"{site.url}/")
    page.get_by_role("banner").get_by_role("link", name="Join").click()
    page.get_by_label("Name", exact=True).fill("noodler")
    page.get_by_label("Email").fill("noodler@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()

    page.get_by_role("link", name="Upload", exact=True).first.click()
    page.get_by_role("radio", name="Ramen! Ramen!").check()
    page.get_by_label("Name of the bot").fill("First Broth")
    page.get_by_label("The script").set_input_files(GAMES["ramen_ramen"].house_bots()["greedy"])
    page.get_by_role("checkbox", name="2 players").check()
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_text("Accepted.")).to_be_visible(timeout=60_000)

    page.goto(f"{site.url}/challenge/")
    page.get_by_label("Your bot").select_option(index=0)
    page.get_by_label("Board").select_option(label="Ramen! Ramen! · 2 players")
    page.get_by_label("Opponents").fill("House Random")
    page.get_by_role("button", name="Play").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Match")
    expect(page.get_by_role("link", name="Watch").first).to_be_visible(timeout=60_000)
    page.get_by_role("link", name="Watch").first.click()

    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.keyboard.press("End")
    expect(page.get_by_role("group", name="Playback")).to_contain_text("First Broth")
