"""A language is one file: with it in its folder, site, API, command, gate and ladder know it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import servers

OWN = Path(__file__).with_name("snake.py")
NEEDED = ("engine", "sandbox", "ladder", "templates", "docs", "manage.py", "pyproject.toml")

WALK = """
import django; django.setup()
from django.core.management import call_command
from django.test import Client
call_command("migrate", verbosity=0)
from ladder.jobs import worker
from ladder.models import Match, Rating, User, Version
from ladder.services import bots, challenges, matches
from ladder.services import tournaments
from ladder.boards import Board
from sandbox.languages import BY_SUFFIX

source = BY_SUFFIX[".snake"].probe().decode()
client = Client()
names = []
for name in ("alice", "bob"):
    user = User.objects.create_user(name, f"{name}@example.org", "a long enough passphrase 7")
    client.force_login(user)
    assert "<code>.snake</code>" in client.get("/upload/").content.decode()
    made = client.post("/api/v1/bots/", {"game": "ramen_ramen", "name": f"S {name}",
        "seat_counts": [2], "is_source_public": True}, content_type="application/json").json()
    sent = client.post(f"/api/v1/bots/{made['id']}/versions/", {"filename": "wok.snake",
        "source": f"# {name}\\nME = {len(names)}\\n{source}"}, content_type="application/json")
    assert sent.status_code == 201, sent.content
    assert sent.json()["language"] == "snake"
    names.append(made["id"])
while worker.work_once():
    pass
for version in Version.objects.all():
    assert version.status == "accepted", version.report
    page = client.get(f"/bots/{version.bot_id}/source/1/").content.decode()
    assert "Snake" in page and "return view" in page, page
assert Rating.objects.filter(version__language="snake").count() == 2

one, two = bots.named(names)
board = Board("ramen_ramen", 2)
match = challenges.challenge(by=one.owner, board=board, own=one, others=[two])
cup = tournaments.create(by=one.owner, board=board, name="Cup", format="round_robin")
for bot in (one, two):
    tournaments.enrol(tournament=cup, bot=bot, by=bot.owner)
tournaments.start(tournament=cup, by=one.owner)
while worker.work_once():
    tournaments.advance_all()
tournaments.advance_all()
match.refresh_from_db(), cup.refresh_from_db()
assert match.status == "finished", match.attempts
assert not any(entry.faults for entry in match.entries.all())
assert cup.status == "finished"
assert f"/matches/{match.pk}/" in client.get("/matches/").content.decode()
print("known everywhere")
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The product's files with one more."""
    root = tmp_path_factory.mktemp("house")
    listed = subprocess.run(
        ["git", "ls-files", "-z", *NEEDED], cwd=servers.ROOT, capture_output=True, check=True
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if (servers.ROOT / name).is_file():
            path.write_bytes((servers.ROOT / name).read_bytes())
    (root / "sandbox" / "languages" / "snake.py").write_bytes(OWN.read_bytes())
    yield root


def told(house: Path, tmp_path: Path, *words: str, **settings: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=house,
        env=servers.product_environment(tmp_path / "var", PYTHONPATH=str(house), **settings),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.jail
def test_it_is_uploaded_checked_rated_and_plays_a_challenge_and_a_tournament(house, tmp_path):
    assert told(house, tmp_path, "-c", WALK).endswith("known everywhere\n")


@pytest.mark.jail
def test_the_command_starts_checks_and_plays_it(house, tmp_path):
    bot = tmp_path / "my_bot.snake"

    told(house, tmp_path, "-m", "ladder.cli", "new", "ramen_ramen", str(bot))
    checked = told(house, tmp_path, "-m", "ladder.cli", "check", str(bot), "--game", "ramen_ramen")
    told(house, tmp_path, "-m", "ladder.cli", "play", "ramen_ramen", str(bot), "greedy")

    assert "Snake" in checked
