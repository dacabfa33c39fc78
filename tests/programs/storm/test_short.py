"""`make faults` in a short form, so that it cannot rot between two runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.programs.storm.__main__ import MUST_BE_ZERO, settled
from tests.programs.storm.site import site
from tests.servers import wait_until


@pytest.mark.jail
@pytest.mark.services
def test_nothing_is_lost_or_announced_twice_when_each_process_is_killed(tmp_path: Path) -> None:
    with site(tmp_path, "embedded") as one:
        wait_until(lambda: one.census()["finished"] >= 2, 300, "first matches are finished")
        for server in one.processes.values():
            server.kill_group()
            server.start()
            one.upload()
        found = settled(one)

    assert {name: found[name] for name in MUST_BE_ZERO if found[name]} == {}
    assert found["events read"] >= found["finished"] > 2
    assert found["deliveries"] >= found["uploads stored"] > 0
