"""Two people in two browsers and a house bot play over the network, by mouse and by touch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from engine.games import GAMES
from engine.replay import read, verify
from tests.browser.conftest import Site, screenshots
from tests.browser.test_pages import serious
from tests.browser.test_play import ASKED, CHOICES, drag, is_over
from tests.browser.test_thumbs import MARKED, PHONE, decide, preferred

pytestmark = pytest.mark.browser

SEATS = {game: 3 if 3 in rules.seats else 4 for game, rules in GAMES.items()}
BOT = {"safranito": "saffron"}  # a strong bot ends the game soon; the others have a greedy one
# What both people choose where they can, so that the game ends soon. Patterns of what is touched or
# pressed, the best first.
QUICK = {
    "hot_ramen": [
        "face P", "Keep all pepper", "Stop", "face M", "Keep all money", "face R", "Keep all ramen",
    ],
    "safranito": ["Do not buy", "Cook nothing", "Sell no ", "Do not use"],
}  # fmt: skip
# A disc that lies between the bowls is in nobody's way. In shares of the board, by turns.
BETWEEN = [(0.36, 0.86), (0.64, 0.86)]
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
        page.get_by_label(f"Seat {seat}").select_option(BOT.get(game, "greedy"))
    page.get_by_role("button", name="Create table").click()
    page.get_by_text("Waiting for 1 more player").wait_for()
    return page.get_by_label("Send this link to a friend").input_value()


def join(page: Page, link: str, name: str) -> None:
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Join table").click()
    page.locator(ROOM.format("playing")).wait_for()


Rest = tuple[float, float]
Act = Callable[[Page, Sequence[str], Rest], None]


def play_on(page: Page, act: Act, wanted: Sequence[str], rest: Rest) -> bool:
    """Decide once if this page is asked; whether it was."""
    asked = page.locator(ASKED)
    if not asked.count():
        return False
    step = page.locator("#theatre").get_attribute("data-asked")
    act(page, wanted, rest)
    page.locator(f"#theatre:not([data-asked='{step}'])").wait_for()
    return True


def by_mouse(page: Page, wanted: Sequence[str], rest: Rest) -> None:
    """Decide by clicks on the board and in the list beside it; a throw is dragged."""
    step = page.locator("#theatre").get_attribute("data-asked")
    gone = f"#theatre:not([data-asked='{step}'])"
    disc = page.locator(".b-safranito-aim-disc")
    if disc.count():
        return drag(page, disc, rest)
    touches = 0
    marked, listed = page.locator(MARKED), page.locator(CHOICES)
    while not page.locator(gone).count():
        names = [one.get_attribute("data-pick") or "" for one in marked.all()]
        names += listed.all_inner_texts()
        place = preferred(names, wanted, 0)
        on_board = marked.count()
        if place < on_board:
            marked.nth(place).click()
            touches += 1
            page.locator(f"{gone}, svg[data-touches='{touches}']").first.wait_for()
        else:
            listed.nth(place - on_board).click()
            page.locator(gone).wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_two_people_and_a_bot_finish_a_game_by_mouse_and_by_touch(
    visitor: Callable[..., Page], site: Site, game: str
) -> None:
    ada, ben = visitor(viewport=WIDE), visitor(viewport=PHONE, has_touch=True, is_mobile=True)
    link = create(ada, site, game, "Ada", bots=SEATS[game] - 2)
    ada.screenshot(path=screenshots() / f"friends-{game}-room.png")
    join(ben, link, "Ben")
    answered = {name: 0 for name in ("ada", "ben")}
    while not (is_over(ada) and is_over(ben)):
        for page, name, act in ((ada, "ada", by_mouse), (ben, "ben", decide)):
            turns = sum(answered.values())
            if play_on(page, act, QUICK.get(game, ()), BETWEEN[turns % 2]):
                answered[name] += 1
                if turns in (2, 3):
                    page.screenshot(path=screenshots() / f"friends-{game}-{name}.png")
                if turns == 4:  # what a reload finds is what the server keeps
                    ada.reload()
        ada.wait_for_timeout(50)  # until the bot has moved
    for page in (ada, ben):
        page.locator("#theatre[data-over]").wait_for()
    assert min(answered.values()) > 3
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
