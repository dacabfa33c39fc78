"""The bell connects as Django does."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ladder.operation import bell


def test_the_bell_connects_with_all_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that asks for a certificate refused it once, and the stream was down."""
    options = {"dbname": "ladle", "sslmode": "verify-full", "sslrootcert": "/etc/ca.pem"}
    monkeypatch.setattr(
        bell, "connection", SimpleNamespace(get_connection_params=lambda: dict(options))
    )
    asked: dict[str, Any] = {}

    def connect(**words: Any) -> Any:
        asked.update(words)
        return SimpleNamespace(execute=lambda text: None)

    monkeypatch.setattr(bell.psycopg, "connect", connect)
    bell.PostgresBell()
    assert asked == {**options, "autocommit": True}
