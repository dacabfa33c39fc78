"""Pages follow the stream of events, notices are read, and mails look right."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page, expect

from ladder.contract.events import EventBot, Facts, Kind, sentence
from ladder.models import Mail, Notice, User
from ladder.services.notices import mailing
from tests.browser.conftest import PASSWORD, screenshots
from tests.browser.test_pages import serious
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.jail]

FINISH = """
import os
from django.db import transaction
from ladder.models import Match
from tests.factories import make_bot, make_match, make_user
from tests.local_play import play_and_finish
owner = make_user(f"herald{os.getpid()}")
with transaction.atomic():  # no worker of the site is quicker
    match = make_match(*[make_bot(owner, name=f"Herald {os.getpid()} {n}") for n in (1, 2)])
    assert play_and_finish(match)
print(match.pk)
"""
NOTIFY = f"""
import os
from django.db import transaction
from ladder.contract.events import Audience, EventBot, Facts, Kind
from ladder.services.events import dispatch
from ladder.services.events.outbox import Draft, record
from ladder.services.notices import wishes
from tests.factories import make_bot, make_user
user = make_user(f"reader{{os.getpid()}}")
user.set_password("{PASSWORD}")
user.save()
bot = make_bot(user, name=f"Told {{os.getpid()}}")
rival = make_bot(make_user(f"rival{{os.getpid()}}"), name=f"Rival {{os.getpid()}}")
wishes.follow(user=user, subject="bot", target=str(rival.pk))
named = [EventBot(id=bot.pk, name=bot.name, version=1)]
with transaction.atomic():
    record(
        Draft(kind, Facts(bots=named, match_kind="ladder", reason=why, rank=3, elo=1512.0),
              owner=user.pk)
        for kind, why in [
            (Kind.BOT_RANKED, None),
            (Kind.VERSION_REJECTED, "It crashed in line 7: division by zero."),
            *[(Kind.MATCH_FAULTED, "It answered with an illegal move.")] * 3,
        ]
    )
dispatch.dispatch_all()
print(user.username)
"""


def test_the_home_page_shows_a_match_when_the_stream_tells_of_it(visitor, site):
    page = visitor(viewport={"width": 1280, "height": 800})
    page.goto(site.url)
    expect(page.locator("html")).to_have_attribute("data-stream", "open")
    page.evaluate("window.news = 0; document.addEventListener('news', () => window.news++, true)")
    asked = []
    page.on("request", lambda request: "hx-request" in request.headers and asked.append(request))
    [match] = site.shell(FINISH)

    expect(page.locator(f'#live a[href="/matches/{match}/"]').first).to_be_visible()
    page.wait_for_timeout(11_000)  # two of the periods in which it would have polled
    news = page.evaluate("window.news")  # the site plays other matches too
    assert 1 <= len(asked) <= news, "it asks when there is news, and does not poll beside it"


OWN_MATCH = f"""
import os
from tests.factories import make_bot, make_user
user = make_user(f"own{{os.getpid()}}")
user.set_password("{PASSWORD}")
user.save()
mine = make_bot(user, name=f"Mine {{os.getpid()}}", seat_counts=[2])
print(user.username)
print(mine.pk)
"""
PLAY_OWN = """
import os
from django.db import transaction
from ladder.models import Bot
from tests.factories import make_bot, make_match, make_user
rival = make_bot(make_user(f"beside{{os.getpid()}}"), name=f"Beside {{os.getpid()}}")
from tests.local_play import play_and_finish
with transaction.atomic():  # no worker of the site is quicker
    match = make_match(Bot.objects.get(pk={bot}), rival)
    assert play_and_finish(match)
print(match.pk)
"""


def test_my_bots_are_asked_for_when_the_stream_tells_of_one(visitor, site):
    name, bot = site.shell(OWN_MATCH)
    page = visitor(viewport={"width": 1280, "height": 800})
    page.goto(f"{site.url}/sign-in/?next=/my-bots/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.locator("html")).to_have_attribute("data-stream", "open")
    expect(page.locator("#my-bots")).to_have_attribute("data-events", f"bot={bot}")
    page.evaluate("window.news = 0; document.addEventListener('news', () => window.news++, true)")
    asked = []
    page.on("request", lambda request: "hx-request" in request.headers and asked.append(request))
    site.shell(PLAY_OWN.format(bot=bot))

    page.wait_for_function("window.news > 0")
    page.wait_for_timeout(11_000)  # more than a period in which it would have polled
    assert 1 <= len(asked) <= page.evaluate("window.news")


def test_a_page_polls_while_the_stream_is_away(visitor, site):
    page = visitor(viewport={"width": 1280, "height": 800})
    page.route("**/api/v1/events*", lambda route: route.fulfill(status=204))
    page.goto(site.url)
    expect(page.locator("html")).to_have_attribute("data-stream", "away")
    [match] = site.shell(FINISH)

    expect(page.locator(f'#live a[href="/matches/{match}/"]').first).to_be_visible()


@pytest.mark.parametrize(("width", "height", "scheme"), [(1280, 800, "light"), (390, 844, "dark")])
def test_notices_are_shown_counted_and_read(visitor, site, width, height, scheme):
    [name] = site.shell(NOTIFY)
    page = visitor(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.goto(f"{site.url}/sign-in/?next=/notices/")
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Notices").wait_for()
    expect(page.locator(".notices li")).to_have_count(3)
    expect(page.locator(".notices")).to_contain_text("3 times")
    page.screenshot(path=screenshots() / f"notices-{width}-{scheme}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("link", name="Settings").click()
    page.get_by_label("A bot is ranked").select_option("mail")
    page.get_by_role("button", name="Save settings").click()
    expect(page.get_by_role("status")).to_contain_text("Saved.")
    expect(page.get_by_label("A bot is ranked")).to_have_value("mail")
    page.screenshot(path=screenshots() / f"notice-settings-{width}-{scheme}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.goto(f"{site.url}/notices/")
    page.get_by_role("button", name="Mark all as read").click()
    expect(page.locator(".unread")).to_have_count(0)


MAIL_SIZES = {"window": (600, 800), "phone": (390, 844)}
LONG = "Unbroken" * 5  # as long as the name of a bot may be
MAIL_FACTS = Facts(
    bots=[EventBot(id=1, name=LONG, version=12, place=1), EventBot(id=2, name="מרק <b>", place=2)],
    match_kind="ladder",
    tournament_name="The Grand Open of Slowly Simmered Broths " + LONG,
    round=3,
    rank=12,
    elo=1234.5,
    reason="The bot raised IndexError: list index out of range, in line 212 of main.py.",
)
MEASURED = """() => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes = [];
  while (texts.nextNode()) {
    const { textContent, parentElement } = texts.currentNode;
    if (textContent.trim()) sizes.push(parseFloat(getComputedStyle(parentElement).fontSize));
  }
  const button = [...document.links].find((a) => a.textContent === "Open all notices");
  const { height, left, right } = button.getBoundingClientRect();
  return {
    smallest: Math.min(...sizes),
    width: document.documentElement.scrollWidth,
    button: height,
    inside: left >= 0 && right <= innerWidth,
    links: [...document.links].map((a) => a.protocol),
  };
}"""


def html_of(user: User, notices: list[Notice]) -> str:
    mail = Mail.objects.create(user=user, due_at=datetime.now(UTC))
    (alternative,) = mailing.message(mail, notices).alternatives
    return str(alternative.content)


def mails(user: User) -> dict[str, str]:
    """The HTML of a mail with each kind of notice alone, and of digests short and long."""
    at = datetime(2026, 3, 1, tzinfo=UTC)
    of_kind = {
        kind: Notice(user=user, kind=kind, text=sentence(kind, MAIL_FACTS), page="/bots/1/", at=at)
        for kind in Kind
    }
    of_kind[Kind.MATCH_FAULTED].count = 14
    several = list(of_kind.values())
    return {
        **{kind.replace(".", "-"): html_of(user, [notice]) for kind, notice in of_kind.items()},
        "digest": html_of(user, several),
        "long-digest": html_of(user, several * 4),
    }


@pytest.mark.django_db
def test_every_mail_is_readable_in_a_window_and_on_a_phone(visitor: Callable[..., Page]) -> None:
    written = mails(make_user("alice"))
    wrong = []
    for size, (width, height) in MAIL_SIZES.items():
        is_phone = size == "phone"
        window = {"width": width, "height": height}
        page = visitor(viewport=window, is_mobile=is_phone, has_touch=is_phone)
        for name, html in written.items():
            page.set_content(html)
            page.screenshot(path=screenshots() / f"mail-{name}-{size}.png", full_page=True)
            seen = page.evaluate(MEASURED)
            wrong += [f"{name} at {size}: {each}" for each in serious(page)]
            assert set(seen["links"]) == {"http:"}, "the whole address, as of SITE_URL"
            assert seen["width"] <= width, f"{name} scrolls sideways at {size}"
            assert seen["smallest"] >= 14 and seen["button"] >= 44 and seen["inside"], seen
    assert not wrong, "\n".join(wrong)
