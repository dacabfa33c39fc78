"""The site leads to the stream, wherever it runs."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_api_redirects_to_a_stream_on_another_port(client: Client, settings: Any) -> None:
    settings.STREAM_PORT = 8001
    answer = client.get("/api/v1/events?bot=7&kind=match.finished", headers={"host": "[::1]:8000"})
    assert answer.status_code == 307
    assert answer["Location"] == "http://[::1]:8001/api/v1/events?bot=7&kind=match.finished"


def test_pages_name_the_stream_and_may_connect_to_it(client: Client, settings: Any) -> None:
    settings.STREAM_PORT = 8001
    answer = client.get("/", headers={"host": "localhost:8000"})
    address = "http://localhost:8001"
    assert f'name="ladle-stream" content="{address}/api/v1/events"' in answer.content.decode()
    assert f"connect-src 'self' {address};" in answer["Content-Security-Policy"]


def test_behind_a_proxy_the_stream_is_on_the_site_itself(client: Client, settings: Any) -> None:
    settings.STREAM_URL = "/api/v1/events"
    answer = client.get("/")
    assert 'name="ladle-stream" content="/api/v1/events"' in answer.content.decode()
    assert "connect-src 'self';" in answer["Content-Security-Policy"]


def test_without_a_stream_pages_name_none_and_the_api_says_so(client: Client) -> None:
    assert "ladle-stream" not in client.get("/").content.decode()
    answer = client.get("/api/v1/events")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
