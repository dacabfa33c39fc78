"""Webhooks are signed, retried, disabled and logged as Standard Webhooks has it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from standardwebhooks import Webhook as Verifier
from standardwebhooks import WebhookVerificationError

from ladder.contract.events import Audience, Kind
from ladder.errors import LadderError
from ladder.models import Bot, Delivery, User, Webhook
from ladder.queries import webhooks as queries
from ladder.services.events import dispatch
from ladder.services.webhooks import hooks, sending
from tests.factories import make_bot, make_match
from tests.ladder.events.conftest import happen
from tests.ladder.events.receiver import Receiver
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db


@pytest.fixture
def receiver(settings: Any) -> Iterator[Receiver]:
    settings.WEBHOOK_ALLOW_LOOPBACK = True
    with Receiver() as made:
        threading.Thread(target=made.serve_forever, daemon=True).start()
        yield made
        made.shutdown()


@pytest.fixture
def hook(receiver: Receiver, alice: User) -> Webhook:
    return hooks.create(user=alice, url=receiver.url, format="standard")


def make_due() -> None:
    Delivery.objects.exclude(due_at=None).update(due_at=timezone.now())


def test_an_event_arrives_once_signed_and_readable(
    receiver: Receiver, hook: Webhook, miso: Bot
) -> None:
    happen(Kind.BOT_RANKED, miso)
    assert (sending.send_due(), sending.send_due()) == (1, 0)

    ((headers, body),) = receiver.got
    data = Verifier(hook.secret).verify(body, headers)
    assert (data["type"], data["data"]["bots"][0]["name"]) == ("bot.ranked", "Miso")
    assert headers["webhook-id"] == f"evt_{data['data']['id']}"
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status, delivery.attempts) == ("delivered", 200, 1)


def test_both_secrets_sign_while_one_is_changed(
    receiver: Receiver, hook: Webhook, miso: Bot
) -> None:
    old = hook.secret
    hooks.rotate(hook)
    hook.refresh_from_db()
    hooks.send_test(hook)
    sending.send_due()
    for secret in (old, hook.secret):
        Verifier(secret).verify(receiver.got[0][1], receiver.got[0][0])

    Webhook.objects.update(old_secret_until=timezone.now() - timedelta(seconds=1))
    hooks.send_test(hook)
    sending.send_due()
    with pytest.raises(WebhookVerificationError):
        Verifier(old).verify(receiver.got[1][1], receiver.got[1][0])


def test_eight_attempts_take_about_a_day_under_one_id(
    receiver: Receiver, hook: Webhook, miso: Bot
) -> None:
    receiver.statuses = [500] * 8
    happen(Kind.BOT_RANKED, miso)
    waits = timedelta()
    for number in range(8):
        before = timezone.now()
        assert sending.send_due() == 1, f"attempt {number + 1}"
        due = Delivery.objects.get().due_at
        waits += (due - before) if due else timedelta()
        assert sending.send_due() == 0, "not before its time"
        make_due()
    assert sending.send_due() == 0
    assert len({headers["webhook-id"] for headers, _ in receiver.got}) == 1
    assert timedelta(hours=20) < waits < timedelta(hours=28)
    assert Delivery.objects.get().state == "failed"


def test_a_failed_delivery_holds_back_its_subject_and_no_other(
    receiver: Receiver, hook: Webhook, miso: Bot, alice: User
) -> None:
    receiver.statuses = [500]
    happen(Kind.BOT_RANKED, miso)
    sending.send_due()
    happen(Kind.BOT_OVERTAKEN, miso)
    happen(Kind.BOT_RANKED, make_bot(owner=alice))
    assert [sending.send_due() for _ in range(2)] == [1, 0]
    assert _got_kinds(receiver, miso) == ["bot.ranked"]

    make_due()
    assert [sending.send_due() for _ in range(3)] == [1, 1, 0]
    assert _got_kinds(receiver, miso) == ["bot.ranked", "bot.ranked", "bot.overtaken"]


def test_a_delivery_that_is_given_up_holds_nothing_back(
    receiver: Receiver, hook: Webhook, miso: Bot
) -> None:
    receiver.statuses = [500] * 9
    happen(Kind.BOT_RANKED, miso)
    happen(Kind.BOT_OVERTAKEN, miso)
    for _ in range(8):
        assert sending.send_due() == 1
        assert set(_got_kinds(receiver, miso)) == {"bot.ranked"}
        make_due()
    given_up = Delivery.objects.get(state="failed")
    hooks.send_again(given_up)
    assert sending.send_due() == 1
    assert _got_kinds(receiver, miso)[8:] == ["bot.ranked"]
    assert sending.send_due() == 1
    assert _got_kinds(receiver, miso)[9:] == ["bot.overtaken"], "though the other fails again"


def test_examples_wait_for_no_other(receiver: Receiver, hook: Webhook) -> None:
    receiver.statuses = [500]
    for _ in range(2):
        hooks.send_test(hook)
    assert [sending.send_due() for _ in range(3)] == [1, 1, 0]


def _got_kinds(receiver: Receiver, bot: Bot) -> list[str]:
    bodies = [json.loads(body) for _, body in receiver.got]
    return [each["type"] for each in bodies if each["data"]["bots"][0]["id"] == bot.pk]


@pytest.mark.parametrize("status", [301, 307, 404, 500])
def test_anything_but_success_is_a_failure(
    status: int, receiver: Receiver, hook: Webhook, miso: Bot
) -> None:
    receiver.statuses = [status]
    happen(Kind.BOT_RANKED, miso)
    sending.send_due()
    delivery = Delivery.objects.get()
    assert (delivery.state, delivery.status) == ("pending", status)
    assert str(status) in delivery.problem

    make_due()
    sending.send_due()
    assert Delivery.objects.get().state == "delivered"
    hook.refresh_from_db()
    assert hook.failing_since is None


def test_410_disables_at_once_and_five_days_of_failures_too(
    receiver: Receiver, hook: Webhook, alice: User, miso: Bot
) -> None:
    receiver.statuses = [410]
    happen(Kind.BOT_RANKED, miso)
    sending.send_due()
    hook.refresh_from_db()
    assert hook.disabled_at is not None and "410" in hook.disabled_reason

    hooks.enable(hook)
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=5, hours=1))
    receiver.statuses = [500]
    happen(Kind.BOT_RANKED, miso)
    happen(Kind.BOT_OVERTAKEN, miso)
    sending.send_due()
    hook.refresh_from_db()
    assert hook.disabled_at is not None
    assert not Delivery.objects.exclude(due_at=None).exists()
    happen(Kind.BOT_RANKED, miso)
    assert sending.send_due() == 0, "a disabled one gets nothing"
    dispatch.dispatch_all()
    assert alice.notices.filter(kind="webhook.disabled").count() == 2


def test_only_what_its_user_is_told_and_chose_is_sent(
    receiver: Receiver, alice: User, bob: User, miso: Bot
) -> None:
    hooks.create(user=alice, url=receiver.url, format="standard", kinds=["version.rejected"])
    hooks.create(user=bob, url=receiver.url, format="standard")
    happen(Kind.BOT_RANKED, miso)
    happen(Kind.VERSION_REJECTED, miso, audience=Audience.OWNER)
    (delivery,) = Delivery.objects.all()
    assert (delivery.webhook.user, delivery.kind) == (alice, "version.rejected")


def test_ladder_matches_are_sent_to_those_who_chose_them_alone(
    receiver: Receiver, alice: User, miso: Bot
) -> None:
    hooks.create(user=alice, url=receiver.url, format="standard")
    play_and_finish(make_match(miso, make_bot(), kind="ladder"))
    dispatch.dispatch_all()
    assert not Delivery.objects.exists()

    hooks.create(user=alice, url=receiver.url, format="standard", kinds=["match.finished"])
    play_and_finish(make_match(miso, make_bot(), kind="ladder"))
    dispatch.dispatch_all()
    assert Delivery.objects.get().kind == "match.finished"


@pytest.mark.parametrize("form", ["discord", "slack"])
def test_chat_formats_say_what_happened_and_call_on_nobody(
    form: str, receiver: Receiver, alice: User, miso: Bot
) -> None:
    hooks.create(user=alice, url=receiver.url, format=form)
    happen(Kind.VERSION_REJECTED, miso, audience=Audience.OWNER, reason="@everyone <!channel> & co")
    sending.send_due()
    ((headers, body),) = receiver.got
    data = json.loads(body)
    assert "webhook-signature" not in headers
    if form == "discord":
        assert data["allowed_mentions"] == {"parse": []}
        assert f"/bots/{miso.pk}/" in data["content"]
    else:
        assert "<!channel>" not in data["text"] and "&lt;!channel&gt;" in data["text"]


def test_an_address_with_nobody_is_tried_again(hook: Webhook, miso: Bot) -> None:
    Webhook.objects.update(url="http://127.0.0.1:1/")
    happen(Kind.BOT_RANKED, miso)
    sending.send_due()
    delivery = Delivery.objects.get()
    assert delivery.state == "pending" and delivery.problem.startswith("The connection failed")


def test_a_private_address_is_refused_when_connecting(
    hook: Webhook, miso: Bot, receiver: Receiver, settings: Any
) -> None:
    settings.WEBHOOK_ALLOW_LOOPBACK = False
    happen(Kind.BOT_RANKED, miso)
    sending.send_due()
    assert "only public ones are allowed" in Delivery.objects.get().problem
    assert receiver.got == []


def test_a_user_has_a_limit_of_webhooks(receiver: Receiver, alice: User) -> None:
    for _ in range(hooks.MOST):
        hooks.create(user=alice, url=receiver.url, format="standard")
    with pytest.raises(LadderError, match="limit of 10 webhooks"):
        hooks.create(user=alice, url=receiver.url, format="standard")


def test_the_pages_make_test_repeat_rotate_and_remove(
    receiver: Receiver, client: Client, alice: User, bob: User
) -> None:
    client.force_login(alice)
    bad = client.post(reverse("webhooks"), {"url": "https://10.0.0.1/", "format": "standard"})
    assert bad.status_code == 400 and "only public ones" in bad.content.decode()
    made = client.post(reverse("webhooks"), {"url": receiver.url, "format": "standard"})
    (hook,) = queries.of_user(alice.pk)
    place = reverse("webhook", args=[hook.id])
    assert made["Location"] == place

    client.post(place, {"act": "test"})
    sending.send_due()
    (sent,) = queries.log(hook.id, 10)
    client.post(place, {"act": "again", "delivery": sent.id})
    sending.send_due()
    ids = [headers["webhook-id"] for headers, _ in receiver.got]
    assert len(ids) == 2 and len(set(ids)) == 1
    page = client.get(place)
    assert "delivered" in page.content.decode() and page["Cache-Control"] == "no-store"
    client.post(place, {"act": "rotate"})
    assert queries.of_user(alice.pk)[0].secret != hook.secret
    assert client.post(place, {"act": "explode"}).status_code == 404

    other = Client()
    other.force_login(bob)
    assert other.get(place).status_code == other.post(place, {"act": "remove"}).status_code == 404
    client.post(place, {"act": "remove"})
    assert queries.of_user(alice.pk) == []


def test_slow_addresses_of_one_user_leave_room_for_others(alice: User, bob: User) -> None:
    """A server that never answers in time must cost its owner's turns, not everybody's."""
    slow = [
        hooks.create(user=alice, url=f"https://slow{n}.example/", format="slack") for n in range(10)
    ]
    other = hooks.create(user=bob, url="https://quick.example/", format="slack")
    for hook in [*slow, *slow, other]:
        hooks.send_test(hook)
    tried: list[Delivery] = []
    sending.send_due(lambda job, rows: tried.extend(rows) or [])
    users = [delivery.webhook.user_id for delivery in tried]
    assert users.count(alice.pk) == sending.MOST_OF_ONE_USER
    assert users.count(bob.pk) == 1


def test_addresses_that_fail_get_turns_but_not_all(alice: User) -> None:
    rows = []
    for n in range(40):
        owner = User.objects.create(username=f"author{n}")
        rows.append(hooks.create(user=owner, url=f"https://h{n}.example/", format="slack"))
        hooks.send_test(rows[-1])
    Webhook.objects.filter(pk__in=[hook.pk for hook in rows[:20]]).update(
        failing_since=timezone.now()
    )
    tried: list[Delivery] = []
    sending.send_due(lambda job, rows: tried.extend(rows) or [])
    failing = sum(delivery.webhook.failing_since is not None for delivery in tried)
    assert (len(tried), failing) == (sending.AT_ONCE, sending.KEPT_FOR_FAILING)


def test_examples_on_their_way_are_limited(hook: Webhook) -> None:
    for _ in range(hooks.MOST_TESTS):
        hooks.send_test(hook)
    with pytest.raises(LadderError, match="on their way"):
        hooks.send_test(hook)
