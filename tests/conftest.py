"""How the tests are spread over the cores: those that share a costly fixture stay together."""

from __future__ import annotations

from typing import Any

from xdist.scheduler import LoadScopeScheduling

TOGETHER = [
    "tests/browser/",  # one site for all
    "tests/docs/",  # likewise
    "tests/sandbox/test_hostile.py",  # all attacks are run once, then judged one by one
    "tests/ladder/client/",
]


class ByFixture(LoadScopeScheduling):
    """Every test may go anywhere, but for the groups above."""

    def _split_scope(self, nodeid: str) -> str:
        return next((place for place in TOGETHER if nodeid.startswith(place)), nodeid)


def pytest_xdist_make_scheduler(config: Any, log: Any) -> ByFixture:
    return ByFixture(config, log)
