"""The messages between web, scheduler and workers: few ever wait, and no worker waits in vain."""

from __future__ import annotations

import subprocess

import pytest

from ladder.jobs import broker
from tests import servers
from tests.servers import PYTHON, ROOT, product_environment

PILE = """
from ladder.operation import nudges
for _ in range(10):
    nudges._send("ladder", 10)
print(nudges._waiting("ladder") == nudges.ENOUGH)
"""


@pytest.mark.services
def test_nudges_do_not_pile_up_while_nobody_listens(tmp_path):
    environment = product_environment(tmp_path / "var")
    with servers.private_redis(environment):
        assert servers.manage(environment, "shell", "-v0", "-c", PILE) == "True\n"


def test_a_worker_without_a_broker_says_what_it_needs(tmp_path):
    words = ["-m", "celery", "-A", "ladder.jobs.celery", "-q", "worker", "-c", "1"]
    environment = product_environment(tmp_path / "var")
    done = subprocess.run(
        [PYTHON, *words], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120
    )

    assert done.returncode != 0
    assert "A worker needs Redis: set REDIS_URL" in done.stderr


@pytest.mark.services
@pytest.mark.parametrize("name", ["var", "a folder with a very long name " * 6])
def test_nobody_else_can_open_the_private_broker(tmp_path, name):
    environment = product_environment(tmp_path / name)
    with servers.private_redis(environment):
        path = broker.socket_path(tmp_path / name)

        assert path.stat().st_mode & 0o077 == 0
        assert len(str(path)) < 108
    assert broker.url(tmp_path / name) == ""
