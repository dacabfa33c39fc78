"""Mails look right where they are read: in a window of 600 pixels and on a phone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from playwright.sync_api import Page

from ladder.contract.events import EventBot, Facts, Kind, sentence
from ladder.models import Mail, Notice, User
from ladder.services.notices import mailing
from tests.browser.conftest import screenshots
from tests.browser.test_pages import serious
from tests.factories import make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

SIZES = {"window": (600, 800), "phone": (390, 844)}
LONG = "Unbroken" * 5  # as long as the name of a bot may be
FACTS = Facts(
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
        kind: Notice(user=user, kind=kind, text=sentence(kind, FACTS), page="/bots/1/", at=at)
        for kind in Kind
    }
    of_kind[Kind.MATCH_FAULTED].count = 14
    several = list(of_kind.values())
    return {
        **{kind.replace(".", "-"): html_of(user, [notice]) for kind, notice in of_kind.items()},
        "digest": html_of(user, several),
        "long-digest": html_of(user, several * 4),
    }


def test_every_mail_is_readable_in_a_window_and_on_a_phone(visitor: Callable[..., Page]) -> None:
    written = mails(make_user("alice"))
    wrong = []
    for size, (width, height) in SIZES.items():
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
