import re

import pytest
from django.test import Client
from rest_framework.settings import api_settings

from ladder.api.v1.views.docs import schema
from ladder.errors import Code
from ladder.models import Token
from ladder.services import accounts
from ladder.web.http import counting
from ladder.web.http.statuses import AS_THINGS_STAND, STATUS
from tests.factories import PASSWORD
from tests.servers import ROOT


@pytest.fixture
def strict_rates(monkeypatch):
    counting.counts.clear()
    monkeypatch.setattr(
        api_settings, "DEFAULT_THROTTLE_RATES", {"anon": "8/hour", "user": "8/hour"}
    )
    yield
    counting.counts.clear()


def test_who_asks_too_often_is_told_when_to_come_back(db, anyone, code, strict_rates):
    answers = [anyone.get("games/") for _ in range(9)]

    assert [answer.status_code for answer in answers] == [200] * 8 + [429]
    assert code(answers[-1]) == "throttled"
    assert 0 < int(answers[-1]["Retry-After"]) <= 3600


@pytest.mark.parametrize("header", [{"Authorization": "Bearer ladle_guess"}, {}])
def test_who_is_refused_is_rationed_like_everybody(db, anyone, strict_rates, header):
    answers = [anyone.get("me/", **header).status_code for _ in range(10)]

    assert answers == [401] * 8 + [429] * 2


def test_who_tries_out_tokens_leaves_others_their_share(alice, anyone, strict_rates):
    for _ in range(9):
        anyone.get("me/", Authorization="Bearer ladle_guess")

    assert alice.get("me/").status_code == 200


def test_the_referee_is_rationed_more_strictly_than_the_rest(db, anyone, strict_rates):
    answers = [anyone.post("verify/", {}).status_code for _ in range(3)]

    assert answers == [200, 200, 429]
    assert anyone.get("games/").status_code == 200


def test_users_are_rationed_each_by_themselves(alice, charlie, strict_rates):
    for _ in range(9):
        last = alice.get("games/")

    assert last.status_code == 429
    assert charlie.get("games/").status_code == 200


@pytest.mark.parametrize(
    ("header", "word"),
    [
        ("Bearer ladle_unknown", "authentication_failed"),
        ("Bearer", "authentication_failed"),
        ("Bearer one two", "authentication_failed"),
        ("Bearer ladle_é", "authentication_failed"),
    ],
)
def test_a_token_that_does_not_work_is_a_401_even_for_public_things(db, anyone, code, header, word):
    refused = anyone.get("games/", Authorization=header)

    assert (refused.status_code, code(refused)) == (401, word)
    assert refused["WWW-Authenticate"] == "Bearer"


def test_a_revoked_token_and_a_suspended_user_are_shut_out_at_once(alice, alice_signed_in, kitchen):
    token = Token.objects.get(digest=Token.digest_of(alice.secret))
    assert alice.get("me/").status_code == 200

    assert alice_signed_in("DELETE", f"tokens/{token.pk}/").status_code == 204
    assert alice.get("me/").status_code == 401

    another = Token.issue(user=kitchen.alice, name="x", scope="submit")[1]
    accounts.suspend(kitchen.alice)
    assert alice.get("me/", Authorization=f"Bearer {another}").status_code == 401


@pytest.mark.parametrize(
    "path", ["nothing/", "bots/-1/", "bots/99999999999999999999/", "a%0Ab/", ""]
)
def test_an_unknown_address_is_a_problem_document_too(db, anyone, code, path):
    refused = anyone.get(f"/api/v1/{path}")

    assert (refused.status_code, code(refused)) == (404, "not_found")


def test_what_is_missing_is_named_by_every_operation(alice):
    unnamed, asked = [], 0
    for path, methods in schema()["paths"].items():
        for method, operation in methods.items():
            address = path
            for one in operation.get("parameters", ()):
                missing = "7654321" if one["schema"].get("type") == "integer" else "nobody7654321"
                missing = "2" if one["name"] == "seats" else missing
                address = address.replace(f"{{{one['name']}}}", missing)
            if address == path:
                continue
            answer = alice(method.upper(), address, None if method == "get" else {})
            # What is sent, and who sends it, is judged first.
            assert answer.status_code in (400, 403, 404), address
            if answer.status_code == 404:
                asked += 1
                unnamed += [address] if "7654321" not in answer.json()["detail"] else []

    assert unnamed == []
    assert asked > 40


def test_other_methods_types_and_broken_json_are_refused_by_name(alice, code):
    method = alice("DELETE", "bots/")
    kind = alice.post("bots/", b"<xml/>", Content_Type="application/xml")
    broken = alice.post("bots/", b"{", Content_Type="application/json")
    constant = alice.post("bots/", b'{"name": NaN}', Content_Type="application/json")
    unknown = alice.post("bots/", {"game": "safranito", "name": "A", "colour": "red"})

    assert (method.status_code, code(method)) == (405, "method_not_allowed")
    assert (kind.status_code, code(kind)) == (415, "unsupported_media_type")
    assert (broken.status_code, code(broken)) == (400, "malformed")
    assert (constant.status_code, code(constant)) == (400, "malformed")
    assert unknown.json()["errors"] == [{"field": "colour", "message": "Unknown field."}]


@pytest.mark.parametrize(
    ("field", "value"), [("is_source_public", 0), ("is_source_public", "yes"), ("name", 5)]
)
def test_a_value_of_another_json_type_is_refused(alice, kitchen, field, value):
    refused = alice("PATCH", f"bots/{kitchen.bot.pk}/", {field: value})

    assert refused.status_code == 400
    assert [error["field"] for error in refused.json()["errors"]] == [field]


def test_a_signed_in_page_may_read_and_needs_its_csrf_token_to_write(kitchen):
    page = Client(enforce_csrf_checks=True)
    assert page.login(username="alice", password=PASSWORD)

    me = page.get("/api/v1/me/")
    refused = page.post("/api/v1/tokens/", {"name": "x"}, content_type="application/json")

    assert (me.status_code, me.json()["scope"]) == (200, "session")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")


def test_pages_elsewhere_may_read_and_not_write(kitchen, anyone):
    read = anyone.get("games/", Origin="https://elsewhere.example")
    asked = anyone(
        "OPTIONS",
        "bots/",
        Origin="https://elsewhere.example",
        Access_Control_Request_Method="POST",
    )

    assert read["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in read
    assert "POST" not in asked["Access-Control-Allow-Methods"]


def test_an_answer_that_has_not_changed_is_not_sent_again(kitchen, anyone, alice):
    first = anyone.get(f"bots/{kitchen.bot.pk}/")

    same = anyone.get(f"bots/{kitchen.bot.pk}/", If_None_Match=first["ETag"])
    alice("PATCH", f"bots/{kitchen.bot.pk}/", {"name": "Other"})
    changed = anyone.get(f"bots/{kitchen.bot.pk}/", If_None_Match=first["ETag"])

    assert (same.status_code, same.content) == (304, b"")
    assert changed.status_code == 200
    assert "Authorization" in changed["Vary"]


def test_our_own_failure_is_a_problem_that_tells_nothing(kitchen, monkeypatch):
    from ladder.services import bots
    from tests.ladder.api.conftest import asker

    def fail(**_):
        raise RuntimeError("a secret inside")

    monkeypatch.setattr(bots, "create_bot", fail)

    failed = asker(kitchen.alice).post("bots/", {"game": "safranito", "name": "A"})

    assert (failed.status_code, failed.json()["code"]) == (500, "internal")
    assert b"secret" not in failed.content


def test_the_documentation_lists_every_code_with_its_status() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| (\d{3}) \| ([^|]+) \|", text, flags=re.MULTILINE))

    listed = {
        code: int(status)
        for status, codes in rows.items()
        for code in re.findall(r"`(\w+)`", codes)
    }

    assert listed == {str(code): STATUS.get(code, AS_THINGS_STAND) for code in Code}
