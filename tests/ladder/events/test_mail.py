"""Mail reaches those who want it, once, and a bad server holds up nothing."""

from __future__ import annotations

import re
import threading
import time
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from ladder.contract.events import Audience, Kind
from ladder.jobs import courier
from ladder.models import Bot, Mail, Notice, User
from ladder.services import accounts
from ladder.services.notices import mailing, wishes
from tests.ladder.events.conftest import Inbox, happen
from tests.servers import wait_until

pytestmark = pytest.mark.django_db


def reject(bot: Bot) -> None:
    happen(Kind.VERSION_REJECTED, bot, audience=Audience.OWNER, reason="It <b>crashed</b>.")


def send() -> int:
    mailing.gather()
    return mailing.send_due()


def test_a_mail_has_text_html_and_a_way_out(inbox: Inbox, alice: User, miso: Bot) -> None:
    reject(miso)
    assert send() == 1

    (mail,) = inbox.mails
    assert (mail["To"], mail["Subject"]) == (
        "alice@example.org",
        "Miso: version 1 failed the check: It <b>crashed</b>.",
    )
    text = mail.get_body(("plain",)).get_content()
    html = mail.get_body(("html",)).get_content()
    assert "It <b>crashed</b>." in text and f"/bots/{miso.pk}/" in text
    assert "It &lt;b&gt;crashed&lt;/b&gt;." in html
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert re.fullmatch(
        r"<http://localhost:8000/unsubscribe/.+/>", mail["List-Unsubscribe"].strip()
    )


def test_no_mail_goes_to_an_address_that_was_claimed_and_not_confirmed(
    inbox: Inbox, alice: User, miso: Bot
) -> None:
    User.objects.filter(pk=alice.pk).update(email="")
    alice.refresh_from_db()
    accounts.claim_address(alice, "new@example.org")
    claim = re.search(r"/account/\S*?address/?(\S+?)/?\s", inbox.mails.pop().get_content())
    assert claim
    reject(miso)
    assert (send(), inbox.mails) == (0, [])

    assert accounts.confirm_address(alice, claim[1].strip("/"))
    reject(miso)
    assert send() == 1
    assert [mail["To"] for mail in inbox.mails] == ["new@example.org"]


def test_what_is_due_together_is_one_mail_and_comes_once(
    inbox: Inbox, alice: User, miso: Bot
) -> None:
    for _ in range(3):
        reject(miso)
    assert (send(), send()) == (1, 0)

    (mail,) = inbox.mails
    assert mail["Subject"] == "3 notices from Ladle"


def test_one_click_ends_all_mail_and_a_second_one_is_no_error(
    inbox: Inbox, client: Client, alice: User, miso: Bot
) -> None:
    reject(miso)
    send()
    path = inbox.mails[0]["List-Unsubscribe"].strip(" <>").removeprefix("http://localhost:8000")
    strict = Client(enforce_csrf_checks=True)
    assert strict.get(path).status_code == 200
    reject(miso)
    assert Notice.objects.filter(mail_due_at__isnull=False).count() == 1, "looking ends nothing"
    for _ in range(2):
        answer = strict.post(path, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
    reject(miso)
    assert send() == 0 and len(inbox.mails) == 1
    assert alice.notices.count() == 3
    assert strict.post("/unsubscribe/forged:x:y/").status_code == 404


@pytest.mark.parametrize("why", ["no address", "suspended", "never", "site only", "read"])
def test_no_mail_goes_out(why: str, inbox: Inbox, alice: User, miso: Bot) -> None:
    if why == "no address":
        User.objects.filter(pk=alice.pk).update(email="")
    if why == "suspended":
        User.objects.filter(pk=alice.pk).update(is_suspended=True)
    if why == "never":
        wishes.choose_rhythm(user=alice, rhythm="never")
    if why == "site only":
        wishes.choose(user=alice, kind=Kind.VERSION_REJECTED, channel="site")
    reject(miso)
    if why == "read":
        wishes.mark_read(user=alice, up_to=10**9)
    send()
    assert inbox.mails == []


def test_a_digest_waits_for_its_morning(inbox: Inbox, alice: User, miso: Bot) -> None:
    wishes.choose_rhythm(user=alice, rhythm="daily")
    reject(miso)
    reject(miso)
    assert send() == 0

    Notice.objects.update(mail_due_at=timezone.now() - timedelta(seconds=1))
    assert send() == 1
    assert inbox.mails[0]["Subject"] == "2 notices from Ladle"


def test_without_a_mail_server_nothing_waits_to_be_mailed(alice: User, miso: Bot) -> None:
    reject(miso)
    assert (send(), Mail.objects.count()) == (0, 0)
    assert not Notice.objects.filter(mail_due_at__isnull=False).exists()


def test_a_mail_that_failed_is_sent_again_later_under_the_same_id(
    silent_server: None, alice: User, miso: Bot, request: pytest.FixtureRequest
) -> None:
    reject(miso)
    assert send() == 0
    mail = Mail.objects.get()
    assert mail.problem and mail.due_at is not None and mail.due_at > timezone.now()

    inbox = request.getfixturevalue("inbox")
    Mail.objects.update(due_at=timezone.now())
    assert mailing.send_due() == 1
    assert inbox.mails[0]["Message-ID"] == f"<ladle-mail-{mail.pk}@localhost>"


def test_a_mail_is_given_up_after_some_attempts(
    silent_server: None, alice: User, miso: Bot, settings: Any
) -> None:
    settings.EMAIL_PORT = 1  # nobody listens
    reject(miso)
    mailing.gather()
    for _ in range(len(mailing.BACK_OFF) + 1):
        Mail.objects.update(due_at=timezone.now())
        mailing.send_due()
    assert Mail.objects.get().due_at is None


@pytest.mark.django_db(transaction=True)
def test_a_mail_server_that_hangs_holds_up_nothing_but_its_thread(
    silent_server: None, alice: User, miso: Bot, settings: Any
) -> None:
    settings.EMAIL_TIMEOUT = 30
    reject(miso)
    mailing.gather()
    stop = threading.Event()
    threads = courier.start(stop)
    try:
        wait_until(lambda: Mail.objects.get().attempts == 1, 20, "the mail is tried")
        began = time.monotonic()
        reject(miso)  # events are still handed on
        assert alice.notices.count() == 2
        assert time.monotonic() - began < 5
    finally:
        stop.set()
    assert [thread.daemon for thread in threads] == [True] * len(threads)
