"""How property tests find their examples, and how all tests are spread over the cores."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadScopeScheduling

# The same examples every time, however slow the machine: a failure is then the change's own.
# `make test-slow` goes looking for new ones.
PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("steady", derandomize=True, database=None, **PATIENT)
settings.register_profile("searching", max_examples=500, **PATIENT)
settings.load_profile("steady")

# Shells start what runs in the background deaf to Ctrl-C, and all children would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Those that share a costly fixture stay together.
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A browser on a busy machine may be late once; attacks must fail at the first try.

    The closing line counts second tries, and each is a test to fix.
    """
    for item in items:
        if item.get_closest_marker("browser") and item.path.name != "test_hostile.py":
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, once for all folders: Playwright cannot be started twice in one process."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"]
        )
        yield chromium
        chromium.close()


def pytest_sessionfinish() -> None:
    """End the jails of a worker that was run in this very process."""
    runner = sys.modules.get("ladder.jobs.runner")
    if runner is not None and runner.pool.cache_info().currsize:
        runner.pool().close()
