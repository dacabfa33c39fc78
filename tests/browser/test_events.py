"""Pages follow the stream of events, and notices are read."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PASSWORD, screenshots

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
