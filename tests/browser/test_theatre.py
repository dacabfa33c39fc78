"""Watching a play: every game, by button, key, link and through one seat's eyes."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import Page, expect

from engine import match
from engine.games import GAMES
from engine.replay import Seating
from ladder.theatre.film import film
from tests.browser.conftest import screenshots
from tests.local_play import Dice
from tests.servers import wait_until

pytestmark = [pytest.mark.browser, pytest.mark.jail]

MOVE = re.compile(r"Move (\d+) of (\d+)")


def beat(page: Page) -> int:
    return int(page.get_by_label("Timeline").input_value())


def beats(page: Page) -> int:
    return int(page.get_by_label("Timeline").get_attribute("max"))


def move(page: Page) -> int:
    return int(MOVE.search(page.get_by_role("group", name="Playback").inner_text())[1])


def moves(page: Page) -> int:
    return int(MOVE.search(page.get_by_role("group", name="Playback").inner_text())[2])


def table(page: Page) -> str:
    return page.get_by_role("img", name=re.compile("The table")).inner_html()


@pytest.mark.parametrize("game", GAMES)
def test_a_play_is_stepped_through_by_buttons_and_by_keys(theatre, game):
    page = theatre(game)
    drawn = table(page)
    assert (beat(page), move(page)) == (0, 0)  # setting up is no move

    page.get_by_role("button", name="Step forward").click()
    page.get_by_role("button", name="Step forward").click()
    second = beat(page)
    page.keyboard.press("ArrowRight")
    third = beat(page)
    page.keyboard.press("ArrowLeft")

    assert (second, third, beat(page)) == (2, 3, 2)
    assert table(page) != drawn
    page.keyboard.press("End")
    assert beat(page) == beats(page)
    assert move(page) == moves(page)
    expect(page.get_by_role("group", name="Playback")).to_contain_text(re.compile("win|share"))
    page.keyboard.press("Home")
    assert (beat(page), move(page)) == (0, 0)
    assert table(page) == drawn


def test_a_play_plays_by_itself_to_the_end_and_pauses_on_demand(theatre):
    page = theatre("potage_sauvage")
    page.get_by_label("Speed", exact=True).select_option("8×")

    page.get_by_role("button", name="Play", exact=True).click()
    wait_until(lambda: beat(page) > 2, 60, "it has moved on")
    page.get_by_role("button", name="Pause").click()
    paused = beat(page)
    page.wait_for_timeout(400)

    assert beat(page) == paused
    page.get_by_label("Timeline").fill("100000")
    page.keyboard.press("ArrowLeft")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert beat(page) == beats(page)


def test_a_link_opens_exactly_at_its_step_and_the_address_follows(theatre):
    page = theatre("ramen_ramen", "#step=37")

    assert move(page) == 36  # the log begins with the shuffle
    while move(page) == 36:  # it may have more than one beat
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#step=38$"))
    page.reload()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert move(page) == 37


def test_one_seats_view_hides_what_the_seat_did_not_know(theatre):
    page = theatre("ramen_ramen", "#step=12")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_text("In words").click()
    words = page.get_by_label("The table in words")
    open_table = words.inner_text()

    page.get_by_label("Seen by").select_option(index=1)
    expect(words).not_to_have_text(open_table)

    assert "?" in words.inner_text()
    assert "?" not in open_table
    assert move(page) == 11


def test_a_move_in_the_list_and_a_point_on_the_graph_lead_to_their_step(theatre):
    page = theatre("hot_ramen")
    listed = page.get_by_role("region", name="Moves")

    listed.get_by_role("button").nth(10).click()
    by_list = move(page)
    expect(listed.locator("[aria-current=step]")).to_have_count(1)
    page.get_by_role("img", name="over time").click(position={"x": 150, "y": 30})

    assert by_list == 10
    assert move(page) > by_list
    box, row = listed.bounding_box(), listed.locator("[aria-current=step]").bounding_box()
    assert box["y"] <= row["y"] < box["y"] + box["height"]


def test_the_card_of_keys_opens_with_a_question_mark_and_closes(theatre):
    page = theatre("ramen_ramen")

    page.keyboard.press("?")
    card = page.get_by_role("dialog", name="Keys")
    expect(card).to_be_visible()
    page.keyboard.press("Escape")

    expect(card).to_be_hidden()


def test_letter_keys_can_be_switched_off_and_the_browser_remembers(theatre):
    page = theatre("ramen_ramen")
    speed, card = page.get_by_label("Speed", exact=True), page.get_by_role("dialog", name="Keys")
    page.keyboard.press("+")
    expect(speed).to_have_value("2")

    page.get_by_role("button", name="Keys").click()
    card.get_by_label("Letter keys").uncheck()
    page.keyboard.press("Escape")
    page.reload()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    start = beat(page)
    for key in ("+", "m", "t", "?"):
        page.keyboard.press(key)

    expect(speed).to_have_value("1")
    expect(card).to_be_hidden()
    assert beat(page) == start
    page.keyboard.press("ArrowRight")
    assert beat(page) > start
    page.get_by_role("button", name="Keys").click()
    card.get_by_label("Letter keys").check()
    card.get_by_role("button", name="Close").click()
    page.keyboard.press("+")
    expect(speed).to_have_value("2")


def test_keys_with_a_modifier_or_meant_for_a_list_do_nothing_to_the_play(theatre):
    page = theatre("ramen_ramen", "#step=12")
    card = page.get_by_role("dialog", name="Keys")

    for key in ("Control+ArrowRight", "Meta+ArrowRight", "Control+?", "Alt+?", "Meta+?"):
        page.keyboard.press(key)
    page.get_by_label("Speed", exact=True).focus()
    for key in ("?", "t", "End"):
        page.keyboard.press(key)

    expect(card).to_be_hidden()
    assert move(page) == 11
    page.get_by_role("button", name="Step forward").focus()
    page.keyboard.press("?")
    expect(card).to_be_visible()


def test_one_key_fills_the_screen_with_the_play_and_gives_it_back(theatre):
    page = theatre("ramen_ramen")
    filled = "() => document.fullscreenElement?.id ?? null"

    page.keyboard.press("f")
    wait_until(lambda: page.evaluate(filled) == "theatre", 10, "the theatre fills the screen")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_in_viewport()
    page.keyboard.press("ArrowRight")
    assert move(page) == 1
    page.keyboard.press("f")

    wait_until(lambda: page.evaluate(filled) is None, 10, "the page is back")


def test_the_state_is_told_to_screen_readers_after_a_step(theatre):
    page = theatre("ramen_ramen")
    live = page.locator("[aria-live=polite][role=status]")
    expect(live).to_be_empty()

    page.keyboard.press("ArrowRight")

    expect(live).to_contain_text("Bowl A")


STEP_AND_LOOK = """() => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  return document.querySelector("svg[aria-label^='The table']").innerHTML;
}"""


def test_with_motion_a_thrown_disc_slides_and_comes_to_rest_where_it_lies(theatre):
    page = theatre("safranito", "#step=0", reduced_motion="reduce")
    page.keyboard.press("ArrowRight")
    rest = table(page)
    page.keyboard.press("Home")
    page.emulate_media(reduced_motion="no-preference")

    moving = page.evaluate(STEP_AND_LOOK)

    assert moving != rest
    wait_until(lambda: table(page) == rest, 60, "the disc comes to rest")


BOARDS = [(slug, seats) for slug, game in GAMES.items() for seats in game.seats]
SCREENS = [(1280, 800), (1024, 700), (390, 844), (844, 390)]
NAMES = [
    "House Greedy",
    "Careful Ladle",
    "Second Helping of Broth",
    "House Saffron",
    "Slow Simmer",
    "Momo",
]

# The frame of the table, all that is drawn on it, the transport, and how large a unit is drawn.
MEASURED = """() => {
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  const table = document.querySelector("svg[aria-label^='The table']");
  const drawn = [...table.children].map(box);
  const playback = document.querySelector("[aria-label=Playback]");
  return {
    drawing: {
      left: Math.min(...drawn.map((one) => one.left)),
      top: Math.min(...drawn.map((one) => one.top)),
      right: Math.max(...drawn.map((one) => one.right)),
      bottom: Math.max(...drawn.map((one) => one.bottom)),
    },
    table: box(table), transport: box(playback), unit: table.getScreenCTM().a,
    buttons: [...playback.querySelectorAll("button, select, input")].map(box),
    scrolled: scrollY, width: document.documentElement.scrollWidth,
  };
}"""

# The font that the site brings, and the one that every machine has.
IN_BOTH_FONTS = """(measure) => [null, "DejaVu Sans"].flatMap((font) => {
  if (font) document.documentElement.style.setProperty("--sans", font);
  const found = measure();
  document.documentElement.style.removeProperty("--sans");
  return found;
})"""

# Texts on the table that overlap. Thrown discs lie where they came to rest, on names too.
OVERLAPPED = f"""() => ({IN_BOTH_FONTS})(() => {{
  const table = document.querySelector("svg[aria-label^='The table']");
  const texts = [...table.querySelectorAll("text")]
    .filter((node) => node.textContent.trim() && !node.matches(".b-safranito-value"))
    .map((node) => ({{ words: node.textContent, box: node.getBoundingClientRect() }}));
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4;
  return texts.flatMap((one, at) => texts.slice(at + 1)
    .filter((other) => meet(one.box, other.box))
    .map((other) => `${{one.words}} / ${{other.words}}`));
}})"""

# The sentences that do not fit where captions stand.
CUT = f"""(said) => ({IN_BOTH_FONTS})(() => {{
  const caption = document.querySelector("[aria-label=Playback] p");
  return said.filter((sentence) => {{
    caption.textContent = `${{sentence}}.`;
    return caption.scrollHeight > caption.clientHeight + 1;
  }});
}})"""

NEXT_PAINT = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"


def of_a_board(page: Page, slug: str, seats: int, names: Sequence[str] = NAMES) -> list[str]:
    """Have the theatre show a play with this many seats, whatever match the page is of.

    Returns all that is said in it."""
    seating = [Seating(seat, name) for seat, name in enumerate(names[:seats])]
    players = [Dice(seat) for seat in range(seats)]
    played = match.play(GAMES[slug], players, seed=7, seating=seating)
    shown = film(GAMES[slug], played.replay, None)
    page.route("**/frames.json", lambda route: route.fulfill(json=shown))
    return list({said: None for frame in shown["frames"] for said in frame["said"]})


def apart(one: dict[str, float], other: dict[str, float]) -> bool:
    beside = one["right"] <= other["left"] or other["right"] <= one["left"]
    return beside or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]


@pytest.mark.parametrize(("game", "seats"), BOARDS)
def test_the_whole_table_and_the_transport_share_one_screen(visitor, seen, game, seats):
    page = visitor()
    said = of_a_board(page, game, seats)
    page.goto(seen(game))
    page.get_by_role("button", name="Play", exact=True).wait_for()
    expect(page.get_by_label("Seats and their").get_by_role("listitem")).to_have_count(seats)
    last = int(page.get_by_label("Timeline").get_attribute("max"))

    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        buttons = []
        for at in (0, last // 5, last // 3, last // 2, 4 * last // 5, last):
            page.get_by_label("Timeline").fill(str(at))
            page.evaluate(NEXT_PAINT)
            now = page.evaluate(MEASURED)
            where = f"{width}x{height}, frame {at}: {now}"
            for part in ("drawing", "table", "transport"):
                box = now[part]
                assert min(box["left"], box["top"]) >= 0, where
                assert box["right"] <= width, where
                assert box["bottom"] <= height, where
            assert apart(now["table"], now["transport"]), where
            assert apart(now["drawing"], now["transport"]), where
            assert now["unit"] >= 0.6, where
            assert (now["scrolled"], now["width"]) == (0, width), where
            buttons.append(now["buttons"])
            assert page.evaluate(OVERLAPPED) == [], where
        assert all(one == buttons[0] for one in buttons), f"{width}x{height}: the buttons move"
        assert page.evaluate(CUT, said) == [], f"{width}x{height}: a caption is cut"


def test_a_phones_buttons_are_large_and_its_panels_are_tabs(theatre):
    page = theatre("safranito", viewport={"width": 390, "height": 844}, has_touch=True)

    size = page.get_by_role("button", name="Step forward").bounding_box()
    assert min(size["width"], size["height"]) >= 40
    moves = page.get_by_role("region", name="Moves")
    expect(moves).to_be_hidden()
    page.get_by_role("button", name="Moves", exact=True).click()
    expect(moves).to_be_visible()
    expect(page.get_by_role("img", name="over time")).to_be_hidden()
    page.get_by_role("button", name="More", exact=True).click()
    expect(page.get_by_role("link", name="Replay file")).to_be_visible()


def test_a_visitor_sees_motion_at_once_and_a_link_to_a_step_stands_still(visitor, seen):
    page = visitor(reduced_motion="no-preference")

    page.goto(seen("potage_sauvage"))
    page.get_by_role("button", name="Pause").wait_for()
    opened = beat(page)
    expect(page.get_by_label("Timeline")).not_to_have_value(str(opened))

    assert "#" not in page.url
    expect(page.locator("[aria-live=polite][role=status]")).to_be_empty()
    page.get_by_role("button", name="Pause").click()
    page.goto(seen("potage_sauvage") + "#step=20")
    page.reload()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()


def test_moves_are_told_in_words_and_in_notation_on_demand(theatre):
    page = theatre("safranito")
    listed = page.get_by_role("region", name="Moves")
    throw = re.compile(r"throws the \d0 at ")

    expect(listed.get_by_text(throw).first).to_be_visible()
    assert not re.search(r"\bt\d0 u", page.locator("main").inner_text())
    page.get_by_label("Notation").check()
    expect(listed.get_by_text(re.compile(r"^t\d0 u")).first).to_be_visible()


def test_turns_rounds_and_repeats_are_one_press_away(theatre):
    page = theatre("potage_sauvage")
    rounds = page.get_by_label("Round")

    rounds.select_option("Deal 3")
    third = move(page)
    page.keyboard.press("[")
    expect(rounds.locator("option:checked")).to_have_text("Deal 2")
    second = move(page)
    page.get_by_role("button", name="Turn forward").click()
    assert second < move(page) < third
    page.get_by_label("Repeat").select_option("repeat play")
    page.get_by_label("Speed", exact=True).select_option("8×")
    page.get_by_label("Timeline").fill(str(beats(page) - 1))
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.get_by_label("Timeline")).to_have_value(re.compile(r"^\d{1,2}$"))
    page.get_by_role("button", name="Pause").click()


def test_the_graph_reads_its_values_to_a_pointer(theatre):
    page = theatre("hot_ramen")
    graph = page.get_by_role("img", name="over time")
    chips = page.get_by_label("Seats and their")
    start = chips.text_content()

    box = graph.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + 20)

    expect(chips).not_to_have_text(start)
    assert move(page) == 0  # only looked at
    page.mouse.move(5, 5)
    expect(chips).to_have_text(start)


def test_a_play_leads_to_the_next_one_of_its_match(theatre):
    page = theatre("ramen_ramen")

    page.get_by_role("link", name="next play").click()

    expect(page).to_have_title(re.compile("^Play 2 of"))
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.keyboard.press("p")
    expect(page).to_have_title(re.compile("^Play 1 of"))


def test_rules_pages_play_an_example_with_notes_and_explain_every_symbol(visitor, site):
    page = visitor()

    for game in GAMES:
        page.goto(f"{site.url}/games/{game}/rules/")
        page.get_by_role("button", name="Step forward").wait_for()
        table_before, note = table(page), page.locator(".note").inner_text()
        for _ in range(4):
            page.get_by_role("button", name="Step forward").click()
        assert table(page) != table_before, game
        assert page.locator(".note").inner_text() != note, game
        symbols = page.get_by_label("Symbols").get_by_role("listitem")
        assert symbols.count() >= 11, game
        sizes = (
            page.get_by_label("Symbols")
            .locator("svg > *")
            .evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
        )
        assert min(sizes) > 4, game


def test_people_count_plays_from_one(theatre):
    page = theatre("ramen_ramen")

    expect(page).to_have_title(re.compile("^Play 1 of"))
    assert not re.search(r"\b([Pp]lay|[Ss]eat) 0\b", page.locator("main").inner_text())


def test_playing_on_from_a_step_downloads_its_position(theatre, tmp_path):
    page = theatre("ramen_ramen", "#step=20")
    page.get_by_role("button", name="More", exact=True).click()

    with page.expect_download() as download:
        page.get_by_role("link", name="Download the position").click()

    assert download.value.suggested_filename.endswith("-step-20.json.gz")


def test_a_visitor_plays_on_from_a_step_in_the_browser(theatre):
    page = theatre("potage_sauvage", "#step=60")
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("link", name="Play on from here").click()
    expect(page.get_by_text("The true cards stay where they are")).to_be_visible()
    page.screenshot(path=screenshots() / "play-on.png")
    page.get_by_role("button", name="Sit down").click()
    page.locator("#theatre[data-asked]").wait_for()
    asked = int(page.locator("#theatre").get_attribute("data-asked"))
    page.locator(".choices-list button").first.click()
    page.locator(f"#theatre[data-asked]:not([data-asked='{asked}'])").wait_for()
    page.screenshot(path=screenshots() / "play-on-table.png")

    page.get_by_role("button", name="Take back").click()

    page.locator(f"#theatre[data-asked='{asked}']").wait_for()
    assert asked >= 60


def test_without_javascript_the_moves_and_the_result_are_there(visitor, seen):
    page = visitor(java_script_enabled=False)

    page.goto(seen("ramen_ramen"))

    expect(page.get_by_role("heading", name="Moves")).to_be_visible()
    expect(page.get_by_role("heading", name="The table at the end")).to_be_visible()
    expect(page.get_by_text("Setting the table")).to_be_hidden()
    expect(page.get_by_role("link", name="Replay file")).to_be_visible()
