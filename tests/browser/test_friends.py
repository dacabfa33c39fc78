"""Two people in two browsers and a house bot play over the network, by mouse and by touch."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from engine.games import GAMES
from engine.replay import read, verify
from tests.browser.conftest import Site, screenshots
from tests.browser.test_pages import serious
from tests.browser.test_play import ASKED, WAYS
from tests.browser.test_thumbs import PHONE, decide

pytestmark = pytest.mark.browser

SEATS = {game: 3 if 3 in rules.seats else 4 for game, rules in GAMES.items()}
BY_HAND = {"hot_ramen": 12, "safranito": 12}  # decisions; then the pages answer by themselves
# Takes the first move offered, at the door that the page itself uses, until the game is over.
QUICKLY = """() => {
  const setup = JSON.parse(document.getElementById("friends-setup").textContent);
  const secret = localStorage.getItem(`ladle-table-${setup.key}`);
  const headers = { Authorization: `Bearer ${secret}` };
  (async () => {
    for (;;) {
      const { play } = await (await fetch(`${setup.state}?after=99999`, { headers })).json();
      if (play.result) return;
      if (play.line) {
        await fetch(`${setup.door}/decisions/${play.line}/answer`, {
          method: "POST", headers, body: JSON.stringify({ action: play.asked.choices[0].action }),
        });
      }
      await new Promise((done) => setTimeout(done, 50));
    }
  })();
}"""
READY = "#theatre[data-ready]"
ROOM = "#theatre[data-room='{}']"
WIDE = {"width": 1280, "height": 800}


def create(page: Page, site: Site, game: str, name: str, bots: int) -> str:
    """Make a table of two people and some bots; its link."""
    page.goto(f"{site.url}/play/{game}/friends/")
    page.locator(READY).wait_for()
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Seats").select_option(str(2 + bots))
    for seat in range(3, 3 + bots):
        page.get_by_label(f"Seat {seat}").select_option("greedy")
    page.get_by_role("button", name="Create table").click()
    page.get_by_text("Waiting for 1 more player").wait_for()
    return page.get_by_label("Send this link to a friend").input_value()


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join table").click()
    page.locator(ROOM.format("playing")).wait_for()


def is_over(page: Page) -> bool:
    return page.locator("#theatre[data-over]").count() > 0


def play_on(page: Page, act: Callable[[Page], None]) -> bool:
    """Decide once if this page is asked; whether it was."""
    asked = page.locator(ASKED)
    if not asked.count():
        return False
    step = page.locator("#theatre").get_attribute("data-asked")
    act(page)
    page.locator(f"#theatre:not([data-asked='{step}'])").wait_for()
    return True


@pytest.mark.parametrize("game", GAMES)
def test_two_people_and_a_bot_finish_a_game(
    visitor: Callable[..., Page], site: Site, game: str
) -> None:
    ada, ben = visitor(viewport=WIDE), visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    link = create(ada, site, game, "Ada", bots=SEATS[game] - 2)
    ada.screenshot(path=screenshots() / f"friends-{game}-room.png")
    join(ben, link, "Ben")
    ways = [(ada, WAYS[game]), (ben, decide)]
    turns = 0
    while turns < BY_HAND.get(game, 1000) and not (is_over(ada) and is_over(ben)):
        for page, act in ways:
            if play_on(page, act):
                turns += 1
                if turns in (3, 4):
                    name = "ada" if page is ada else "ben"
                    page.screenshot(path=screenshots() / f"friends-{game}-{name}.png")
                if turns == 5:  # what a reload finds is what the server keeps
                    ada.reload()
        ada.wait_for_timeout(50)
    for page in (ada, ben):
        if not is_over(page):
            page.evaluate(QUICKLY)
    for page in (ada, ben):
        page.locator("#theatre[data-over]").wait_for()
    assert serious(ada) == [] and serious(ben) == []
    ada.screenshot(path=screenshots() / f"friends-{game}-over.png")
    for page in (ada, ben):
        page.get_by_role("link", name="Watch the replay").wait_for()
    ben.get_by_role("link", name="Watch the replay").click()
    ben.get_by_role("button", name="Play", exact=True).wait_for()
    replay = read(ben.request.get(f"{ben.url.split('#')[0]}replay.json.gz").body())
    verify(GAMES[game], replay)
    assert [one.bot for one in replay.players[:2]] == ["Ada", "Ben"]
    assert "secret" not in ada.url and "ladleseat" not in ada.url


def test_a_stranger_cannot_answer_and_a_full_table_says_so(
    visitor: Callable[..., Page], site: Site
) -> None:
    ada, ben, eve = visitor(), visitor(), visitor()
    link = create(ada, site, "ramen_ramen", "Ada", bots=0)
    key = urlsplit(link).path.split("/")[2]
    join(ben, link, "Ben")
    ada.locator(ROOM.format("playing")).wait_for()
    secrets = {
        name: page.evaluate(f"localStorage.getItem('ladle-table-{key}')")
        for name, page in (("Ada", ada), ("Ben", ben))
    }
    eve.goto(link)
    eve.get_by_role("heading", name="This table is full").wait_for()
    eve.get_by_role("link", name="Create a new table").wait_for()

    def state(secret: str) -> dict[str, object]:
        heads = {"Authorization": f"Bearer {secret}"}
        told = eve.request.get(f"{link}state.json", headers=heads).json()
        assert isinstance(told, dict)
        return told

    assert state("ladleseat_nonsense")["play"] is None
    told = {name: state(secret)["play"] for name, secret in secrets.items()}
    lines = {name: play["line"] for name, play in told.items()}  # type: ignore[index,call-overload]
    (asked,) = [name for name, line in lines.items() if line]
    other = next(name for name in secrets if name != asked)
    # A seat gets its own view: the other's cards are nowhere in it.
    assert "choices" not in told[other]["asked"]  # type: ignore[index,call-overload]
    door = eve.evaluate("JSON.parse(document.getElementById('friends-setup').textContent).door")
    action = told[asked]["asked"]["choices"][0]["action"]  # type: ignore[index,call-overload]
    for secret, status in ((secrets[other], 404), ("ladleseat_nonsense", 401)):
        refused = eve.request.post(
            f"{door}/decisions/{lines[asked]}/answer",
            headers={"Authorization": f"Bearer {secret}"},
            data={"action": action},
        )
        assert refused.status == status
    mistaken = eve.request.post(
        f"{door}/decisions/{lines[asked]}/answer",
        headers={"Authorization": f"Bearer {secrets[asked]}"},
        data={"action": "nonsense"},
    )
    assert mistaken.status == 400 and "rules" in mistaken.json()["detail"]
    gone = eve.request.get(f"{site.url}/tables/{'x' * 16}/")
    assert gone.status == 404 and "This table is gone" in gone.text()
