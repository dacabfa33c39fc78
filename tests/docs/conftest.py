"""A whole site for the pages that talk to one: web and worker, an author, a match, a tournament."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import servers
from tests.servers import PYTHON, ROOT, Server, free_port, manage, product_environment, wait_until

SETTLE = """
import json, os, pathlib, sys
import django; django.setup()
from ladder.boards import Board
from ladder.models import Bot, Match, Token, Tournament, User
from ladder.services import bots, challenges, tournaments
from tests.factories import make_bot, make_user

alice = make_user("alice")
own = make_bot(alice, name="Soup Star")
house = Bot.objects.get(game="ramen_ramen", name="House Greedy")
board = Board("ramen_ramen", 2)
match = challenges.challenge(by=alice, board=board, own=own, others=[house])
cup = tournaments.create(by=alice, board=board, name="Ladle Cup", format="round_robin")
for bot in (own, house):
    tournaments.enrol(tournament=cup, bot=bot, by=alice)
tournaments.start(tournament=cup, by=alice)
_, secret = Token.issue(user=alice, name="docs", scope=Token.Scope.SUBMIT)
print(json.dumps({"LADLE_TOKEN": secret, "MATCH": str(match.pk), "TOURNAMENT": str(cup.pk)}))
"""
ADVANCE = """
import django; django.setup()
from ladder.models import Match, Tournament
from ladder.services import tournaments

tournaments.advance_all()
print(Match.objects.open().count(), Tournament.objects.past().count())
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory) -> Iterator[dict[str, str]]:
    """The environment of somebody who uses a live site: its address, a token, what is there."""
    folder = tmp_path_factory.mktemp("site")
    environment = product_environment(folder / "var")
    with servers.private_redis(environment):
        yield from _live(environment, folder)


def _live(environment: dict[str, str], folder: Path) -> Iterator[dict[str, str]]:
    manage(environment, "prepare", "--no-demo")
    told = json.loads(_python(environment, SETTLE))
    port = free_port()
    argv = [PYTHON, "-m", "gunicorn", "ladder.wsgi", "--bind", f"127.0.0.1:{port}"]
    log = folder / "site.log"
    web = Server([*argv, "--threads", "4"], port=port, environment=environment, log=log)
    player = servers.worker(environment, log)
    try:
        web.start()
        player.start()
        wait_until(lambda: _python(environment, ADVANCE).split() == ["0", "1"], 120, "all played")
        yield told | {"LADLE_SERVER": f"http://127.0.0.1:{port}"}
    finally:
        player.stop()
        web.stop()


def _python(environment: dict[str, str], source: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
