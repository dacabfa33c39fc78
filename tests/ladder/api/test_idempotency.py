from datetime import timedelta

import pytest
from django.utils import timezone

from ladder.models import Bot, IdempotencyKey, Token

NEW = {"game": "safranito", "name": "Spice"}


def test_a_retry_with_the_same_key_gets_the_first_answer_and_no_second_effect(alice):
    first = alice.post("bots/", NEW, Idempotency_Key="k1")
    again = alice.post("bots/", dict(reversed(NEW.items())), Idempotency_Key="k1")

    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again["Location"] == first["Location"]
    assert again["Idempotency-Replayed"] == "true"
    assert Bot.objects.filter(name="Spice").count() == 1


def test_the_same_key_for_another_body_or_address_is_a_422(alice, kitchen, code):
    alice.post("bots/", NEW, Idempotency_Key="k1")

    other_body = alice.post("bots/", NEW | {"name": "Other"}, Idempotency_Key="k1")
    other_address = alice.post(f"bots/{kitchen.bot.pk}/retire/", NEW, Idempotency_Key="k1")

    assert (other_body.status_code, code(other_body)) == (422, "idempotency_key_reused")
    assert (other_address.status_code, code(other_address)) == (422, "idempotency_key_reused")


def test_two_users_may_use_the_same_key(alice, charlie):
    alice.post("bots/", NEW, Idempotency_Key="k1")

    theirs = charlie.post("bots/", NEW | {"name": "Other"}, Idempotency_Key="k1")

    assert theirs.status_code == 201
    assert theirs.json()["owner"] == "charlie"


def test_a_refusal_leaves_the_key_free(alice, kitchen):
    refused = alice.post("bots/", {"game": "ramen_ramen", "name": "Wok"}, Idempotency_Key="k1")

    taken = alice.post("bots/", NEW, Idempotency_Key="k1")

    assert (refused.status_code, taken.status_code) == (409, 201)


def test_a_request_under_way_is_a_409_that_says_when_to_ask_again(alice, code):
    alice.post("bots/", NEW, Idempotency_Key="k1")
    IdempotencyKey.objects.update(status=None, body=None)

    waiting = alice.post("bots/", NEW, Idempotency_Key="k1")

    assert (waiting.status_code, code(waiting)) == (409, "in_progress")
    assert int(waiting["Retry-After"]) > 0


def test_a_request_whose_process_died_is_taken_over_after_a_while(alice):
    alice.post("bots/", NEW, Idempotency_Key="k1")
    Bot.objects.filter(name="Spice").delete()  # the effect was rolled back with its process
    long_ago = timezone.now() - timedelta(minutes=5)
    IdempotencyKey.objects.update(status=None, body=None, created_at=long_ago)

    again = alice.post("bots/", NEW, Idempotency_Key="k1")

    assert again.status_code == 201
    assert Bot.objects.filter(name="Spice").count() == 1


def test_who_was_overtaken_leaves_no_effect(alice, monkeypatch):
    from ladder.services import bots

    create = bots.create_bot

    def slow_create(**fields):
        made = create(**fields)
        IdempotencyKey.objects.update(created_at=timezone.now() + timedelta(seconds=1))
        return made

    monkeypatch.setattr(bots, "create_bot", slow_create)

    overtaken = alice.post("bots/", NEW, Idempotency_Key="k1")

    assert overtaken.status_code == 409
    assert not Bot.objects.filter(name="Spice").exists()


@pytest.mark.parametrize("key", ["", "x" * 101, "é"])
def test_a_key_of_no_sensible_form_is_refused(alice, code, key):
    refused = alice.post("bots/", NEW, Idempotency_Key=key)

    assert (refused.status_code, code(refused)) == (400, "bad_idempotency_key")


def test_a_tokens_secret_is_not_kept_with_its_answer(alice_signed_in):
    body = {"name": "laptop", "scope": "read"}

    first = alice_signed_in.post("tokens/", body, Idempotency_Key="k1").json()
    again = alice_signed_in.post("tokens/", body, Idempotency_Key="k1").json()

    assert Token.objects.by_secret(first["secret"]) is not None
    assert again == first | {"secret": None}
    assert first["secret"] not in str(list(IdempotencyKey.objects.values()))


def test_the_boundary_of_a_form_does_not_make_it_another_request(alice, kitchen):
    def form(boundary):
        return (
            f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.py"\r\n\r\n'
            f"# a script\r\n--{boundary}--\r\n"
        ).encode()

    answers = [
        alice.post(
            f"bots/{kitchen.bot.pk}/versions/",
            form(boundary),
            Content_Type=f"multipart/form-data; boundary={boundary}",
            Idempotency_Key="k1",
        )
        for boundary in ("one", "two")
    ]

    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
