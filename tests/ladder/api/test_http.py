"""What HTTP asks of the API: HEAD, methods, preconditions, limits, other origins."""

from __future__ import annotations

import http.client
import re
from typing import Any

import pytest
import yaml
from django.core.cache import caches
from django.test import Client

from tests.ladder.api.test_schema import COMMITTED

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", ["/api/v1/games/", "/", "/llms.txt", "/api/v1/nothing/"])
@pytest.mark.django_db(transaction=True)
def test_head_has_no_body_on_the_wire(live_server: Any, path: str) -> None:
    """Two requests on one connection: a body would be read as the second answer."""
    connection = http.client.HTTPConnection(live_server.thread.host, live_server.thread.port)
    connection.request("HEAD", path)
    head = connection.getresponse()
    assert head.read() == b""
    connection.request("GET", path)
    got = connection.getresponse()
    assert (got.status, len(got.read()) > 0) == (head.status, True)
    connection.close()


def test_head_of_the_application_itself_is_empty(client: Client) -> None:
    """Servers need not cut it off: waitress does not."""
    from django.core.handlers.wsgi import WSGIHandler

    seen: dict[str, Any] = {}
    environ = client._base_environ(REQUEST_METHOD="HEAD", PATH_INFO="/api/v1/games/")
    body = b"".join(WSGIHandler()(environ, lambda status, headers: seen.update(headers)))
    assert body == b""
    assert int(seen["Content-Length"]) > 1000


def test_a_method_that_is_not_there_is_told_before_a_token_is_asked_for(client: Client) -> None:
    answer = client.put("/api/v1/games/", {}, content_type="application/json")

    assert answer.status_code == 405
    assert answer.json()["code"] == "method_not_allowed"
    assert "GET" in answer["Allow"]


def test_a_change_is_refused_when_the_thing_was_changed_meanwhile(alice: Any, kitchen: Any) -> None:
    path = f"/api/v1/bots/{kitchen.bot.pk}/"
    seen = alice.get(path)["ETag"]

    first = alice("PATCH", path, {"name": "Pan"}, If_Match=seen)
    second = alice("PATCH", path, {"name": "Pot"}, If_Match=seen)
    anyway = alice("PATCH", path, {"name": "Lid"}, If_Match="*")

    assert (first.status_code, second.status_code, anyway.status_code) == (200, 412, 200)
    assert second.json()["code"] == "changed"
    weak = f"W/{alice.get(path)['ETag'].removeprefix('W/')}"
    assert alice("PATCH", path, {"name": "Wok"}, If_Match=weak).status_code == 200


def test_answers_say_how_much_is_left_and_a_refusal_names_the_limit(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    caches["default"].clear()
    monkeypatch.setattr("ladder.api.throttling._rate", lambda scope: (2, 60))

    answers = [client.get("/api/v1/games/") for _ in range(3)]

    left = [re.fullmatch(r'"all";r=(\d);t=\d+', one["RateLimit"]) for one in answers]
    assert [one and int(one[1]) for one in left] == [1, 0, 0]
    assert answers[0]["RateLimit-Policy"] == '"all";q=2;w=60'
    refused = answers[-1]
    assert refused.status_code == 429
    assert refused.json()["key"] == "all"
    assert refused.json()["seconds"] == int(refused["Retry-After"])


def test_a_page_elsewhere_may_ask_conditionally_and_read_the_headers(client: Client) -> None:
    asked = client.options(
        "/api/v1/games/",
        headers={
            "Origin": "https://example.org",
            "Access-Control-Request-Method": "GET",
            "Access-Control-Request-Headers": "if-none-match",
        },
    )
    got = client.get("/api/v1/games/", headers={"Origin": "https://example.org"})

    assert "if-none-match" in asked["Access-Control-Allow-Headers"]
    exposed = got["Access-Control-Expose-Headers"]
    assert all(name in exposed for name in ("ETag", "Location", "RateLimit", "X-Request-ID"))


def test_rules_are_plain_markdown_for_clients_that_ask_for_it(client: Client) -> None:
    path = "/api/v1/games/ramen_ramen/rules/"
    plain = client.get(path, headers={"Accept": "text/html;q=0.1, text/markdown"})
    usual = [client.get(path, headers={"Accept": one}) for one in ("*/*", "text/markdown;q=0")]

    assert plain["Content-Type"] == "text/markdown; charset=utf-8"
    assert plain.content.decode() == usual[0].json()["markdown"]
    assert [one["Content-Type"] for one in usual] == ["application/json"] * 2
    assert plain["ETag"] != usual[0]["ETag"]
    assert all("Accept" in one["Vary"].split(", ") for one in (plain, *usual))


def test_the_schema_takes_bytes_where_a_file_is_uploaded_and_names_its_server() -> None:
    schema = yaml.safe_load(COMMITTED.read_text(encoding="utf-8"))
    form = schema["components"]["schemas"]["NewVersionFile"]["properties"]["file"]

    assert (form["type"], form["format"]) == ("string", "binary")
    assert [server["url"] for server in schema["servers"]] == ["/"]
