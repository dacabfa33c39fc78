"""A live server in this process, asked over real HTTP."""

from __future__ import annotations

import pytest

from tests.ladder.api.conftest import Kitchen, asker, kitchen, make_kitchen
from tests.ladder.cli.conftest import ladle, refused, write

__all__ = ["kitchen", "ladle", "refused", "write"]


@pytest.fixture
def served(live_server) -> Kitchen:
    return make_kitchen()


@pytest.fixture
def token(served) -> str:
    return asker(served.alice).secret


@pytest.fixture
def signed_in(served, token, live_server, monkeypatch, tmp_path) -> Kitchen:
    """Alice's machine: `ladle` speaks to the live server with her token."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("LADLE_SERVER", live_server.url)
    monkeypatch.setenv("LADLE_TOKEN", token)
    return served
