"""Every page, for a visitor and for an author: no errors, nothing blocked, usable by everyone."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from engine.games import GAMES
from tests import factories
from tests.browser.conftest import PASSWORD, Site, screenshots
from tests.browser.pages import crawl, kind
from tests.browser.seeding import COOK
from tests.servers import ROOT

pytestmark = [pytest.mark.browser, pytest.mark.jail]

Weights = dict[str, tuple[int, int]]  # requests and bytes, by kind of page

WIDTHS = {1280: 800, 390: 844}
THEMES = ("dark", "light")
LOOK_TWICE = bool(os.environ.get("LADLE_LOOK_TWICE"))
MOST_SHIFT = 0.02
# Fonts and fragments of the page have come, and a frame has been drawn with them.
SETTLED = """async () => {
  const frame = () => new Promise(requestAnimationFrame);
  await document.fonts.ready;
  do { await frame(); await frame(); } while (document.querySelector(".htmx-request"));
}"""


# What a page has asked for and how many bytes came, also of what the browser had kept. The tab's
# Python comes later, on pages that have it; tests/ladder/web/test_play_page.py weighs it.
WEIGHT = """(hasPython) => {
  const all = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type))
    .filter(({ name }) => !hasPython || !name.includes("/tab/"));
  return [all.length, all.reduce((sum, one) => sum + one.encodedBodySize, 0)];
}"""
# A little above what build/weights.txt says: a page that grows is looked at.
MOST_REQUESTS, MOST_KB = 12, 85
# They have boards and films; the workshop has an editor, too.
HEAVY = {
    "home": (16, 115),
    "cooking": (26, 300),  # with boards and films of all four games, if all are played just then
    "sign-in": (13, 80),  # with the scripts of passkeys
    "rules": (15, 95),
    "theatre": (16, 170),  # with the film of a long play
    "play": (16, 110),
    "play-games": (15, 82),
    "friends": (15, 90),
    "shared-table": (16, 110),
    "puzzle": (16, 115),
    "workshop": (16, 300),
}


@pytest.fixture(scope="module")
def weights() -> Iterator[Weights]:
    """Requests and bytes by kind of page; told in build/weights.txt."""
    found: Weights = {}
    yield found
    lines = [f"{name:24}{requests:9}{size / 1000:9.1f}" for name, (requests, size) in found.items()]
    table = "\n".join([f"{'page':24}{'requests':>9}{'kB':>9}", *sorted(lines)])
    (ROOT / "build" / "weights.txt").write_text(f"{table}\n")


def heavy(page: Page, path: str, weights: Weights) -> list[str]:
    """Whether the open page asks for more than its kind may."""
    name = kind(path)
    requests, size = page.evaluate(WEIGHT, name in ("play", "workshop"))
    weights[name] = max((requests, size), weights.get(name, (0, 0)))
    most_requests, most_kb = HEAVY.get(name, (MOST_REQUESTS, MOST_KB))
    if requests <= most_requests and size <= 1000 * most_kb:
        return []
    return [f"{path} takes {requests} requests and {size / 1000:.0f} kB"]


def serious(page: Page, **options: object) -> list[str]:
    """What axe calls serious or critical, with the place of each."""
    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response
    return [
        f"{page.url} {one['id']}: {node['target']} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"][:3]
    ]


def shifted(page: Page, path: str) -> list[str]:
    """What moved since the page was opened, if it is enough to be noticed."""
    page.evaluate(SETTLED)
    shifts = page.evaluate("window.shifts")
    if sum(value for value, _ in shifts) < MOST_SHIFT:
        return []
    return [f"{path} moves at {page.viewport_size}: {shifts}"]


def form_shifts(page: Page) -> list[str]:
    """What moves in the form of a tournament as its formats and ways to enter are chosen."""
    wrong = []
    for width, height in WIDTHS.items():
        page.set_viewport_size({"width": width, "height": height})
        page.goto(page.url)
        for choice in page.locator("[name=format]:enabled, [name=entry]").all():
            choice.evaluate("radio => radio.scrollIntoView({ block: 'center' })")
            page.evaluate(SETTLED)
            page.evaluate("window.shifts.length = 0")
            # Not by the mouse: browsers forgive what moves when a visitor clicks, and we do not.
            with page.expect_response(re.compile("/tournaments/preview/")):
                choice.evaluate("radio => radio.click()")
            wrong += shifted(page, f"the form, {choice.get_attribute('value')},")
    page.set_viewport_size({"width": 1280, "height": 800})
    return wrong


def is_there(page: Page, path: str) -> None:
    if kind(path) == "theatre":
        page.get_by_role("button", name="Play", exact=True).wait_for()
    if kind(path) == "play":
        page.get_by_role("button", name="Sit down").wait_for()
    if kind(path) in ("home", "cooking"):  # they open with plays in motion
        page.locator(".featured-table[data-ready] .table").first.wait_for()


def look(page: Page, path: str, who: str, weights: Weights, *, judge: bool = True) -> list[str]:
    """See the open page, dark at a desk, light on a phone; what is wrong, by axe too to `judge`.

    With LADLE_LOOK_TWICE set, pictures are taken in the other theme, too.
    """
    name = re.sub(r"\W+", "-", path).strip("-") or "home"
    is_there(page, path)
    page.evaluate(SETTLED)
    wrong = heavy(page, path, weights)
    for width, height in WIDTHS.items():
        if page.viewport_size != {"width": width, "height": height}:
            page.set_viewport_size({"width": width, "height": height})
            page.reload()
        is_there(page, path)
        wrong += shifted(page, path)
        theme = "dark" if width > 390 else "light"
        for shown in THEMES if LOOK_TWICE else (theme,):
            page.emulate_media(color_scheme=shown)
            shot = screenshots() / f"{who}-{name}-{width}-{shown}.png"
            page.screenshot(path=shot, full_page=True)
        page.emulate_media(color_scheme=theme)
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wrong.append(f"{path} is wider than {width} pixels")
        if judge:  # colours are the same at every width
            wrong += serious(page, rules={"color-contrast": {"enabled": width > 390}})
    if judge:  # in the other theme only the colours differ
        wrong += serious(page, runOnly=["color-contrast"])
    page.set_viewport_size({"width": 1280, "height": 800})
    return wrong


def test_every_public_page_is_sound(
    visitor: Callable[..., Page], site: Site, seen: Callable[[str], str], weights: Weights
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    # The shortest play first: it stands for the page when axe judges it.
    games = sorted(GAMES, key=lambda game: game != "ramen_ramen")
    plays = [seen(game).removeprefix(site.url) for game in games]

    seen_kinds, wrong = set(), []
    for path in crawl(page, site.url, ["/", *plays[:1], "/tournaments/", "/password/"]):
        seen_kinds.add(kind(path))
        wrong += look(page, path, "public", weights)
    for path in plays[1:]:  # the same page with another drawing
        page.goto(site.url + path)
        wrong += look(page, path, "public", weights, judge=False)

    looks = {name: path for name, path in site.paths.items() if name != "enrolling"}
    for name, path in looks.items():
        page.goto(site.url + path)
        wrong += look(page, path, f"public-{name}", weights)

    assert {"home", "board", "bot", "match", "theatre", "docs", "tournaments"} <= seen_kinds
    assert {kind(path) for path in looks.values()} == {"tournament", "trial", "bot"}
    assert not wrong, "\n".join(wrong)


def test_a_table_that_has_shown_its_play_asks_for_the_next(
    visitor: Callable[..., Page], site: Site, seen: Callable[[str], str]
) -> None:
    seen("ramen_ramen")
    page = visitor(reduced_motion="no-preference")
    page.clock.install()
    page.goto(f"{site.url}/cooking/")
    page.locator(".featured-table[data-ready] .table").first.wait_for()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))

    while not any("/cooking/next/" in url for url in asked):
        page.clock.fast_forward(5000)  # a beat, or the pause after the last

    assert page.locator(".featured-table[data-ready] .table").first.is_visible()


def test_every_page_of_an_author_is_sound(
    visitor: Callable[..., Page], site: Site, weights: Weights
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800}, timezone_id="Asia/Tokyo")
    attempt = secrets.token_hex(3)  # a second try finds what the first one left
    page.goto(f"{site.url}/sign-up/")
    page.get_by_label("Name", exact=True).fill(f"author-{attempt}")
    page.get_by_label("Email").fill(f"{attempt}@example.org")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    page.goto(f"{site.url}/upload/")
    page.get_by_role("radio", name="Hot Ramen").check()
    page.get_by_label("Name of the bot").fill(f"Broth {attempt}")
    page.get_by_label("or paste it here").fill("def decide(view):\n    raise SystemExit\n")
    page.get_by_role("button", name="Upload").click()
    page.get_by_text("Rejected.").wait_for(timeout=60_000)
    page.get_by_role("link", name="Correct it and upload again").click()
    page.get_by_label("or paste it here").fill("def decide(view):\n    raise SystemError\n")
    page.get_by_role("button", name="Upload").click()
    page.get_by_text("Rejected.").wait_for(timeout=60_000)
    public = {"home", "match", "matches", "theatre", "board", "docs", "about", "styleguide", "user"}
    public |= {"game", "rules", "doc", "search", "tournaments"}

    starts = [page.url.removeprefix(site.url), "/upload/", "/my-bots/", "/account/", "/challenge/"]
    seen_kinds, wrong = set(), []
    for path in crawl(page, site.url, [*starts, "/account/tokens/", "/account/password/"]):
        if kind(path) not in public:
            seen_kinds.add(kind(path))
            wrong += look(page, path, "author", weights)

    assert {"version", "bot-source", "bot-changes", "upload", "my-bots", "tokens"} <= seen_kinds
    assert not wrong, "\n".join(wrong)

    wrong = form_shifts(page)
    assert not wrong, "\n".join(wrong)
    # A time is typed as the clock on the wall has it, and sent in UTC.
    page.goto(f"{site.url}/tournaments/new/")
    page.get_by_label(re.compile(r"Starts \((GMT\+9|JST)\)")).fill("2031-05-01T07:30")
    sent = "form => new FormData(form).get('start_at')"
    assert page.locator(".tournament-form").evaluate(sent) == "2031-04-30T22:30"


def test_what_tournaments_and_benched_versions_show_their_people_is_sound(
    visitor: Callable[..., Page], site: Site, weights: Weights
) -> None:
    page = visitor(viewport={"width": 1280, "height": 800})
    page.goto(f"{site.url}/sign-in/")
    page.get_by_label("Name", exact=True).fill(COOK)
    page.get_by_label("Password", exact=True).fill(factories.PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    shown = {
        "/my-bots/": ("Check in", "Let it play again"),
        site.paths["enrolling"]: ("Check in", "Start now", "Save seeds"),
        site.paths["benched"]: ("Let it play again",),
    }

    wrong = []
    for path, buttons in shown.items():
        page.goto(site.url + path)
        for name in buttons:
            expect(page.get_by_role("button", name=name).first).to_be_visible()
        wrong += look(page, path, COOK, weights)

    assert not wrong, "\n".join(wrong)
