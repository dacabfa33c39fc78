"""`ladle climb`: rungs from the weakest house bot on, until one is not passed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.servers import BIN, PYTHON, ROOT, Server, free_port, manage, product_environment

LADDER = """
from ladder.models import Rating
from tests.factories import make_bot
for name, milli, fields in (
    ("Best", 1_700_000, {"is_source_public": True}),
    ("Secret", 1_600_000, {}),
    ("Good", 1_500_000, {"is_source_public": True}),
    ("Third", 1_400_000, {"is_source_public": True}),
    ("House Best", 1_800_000, {"is_source_public": True, "is_house": True}),
):
    bot = make_bot(name=name, **fields)
    Rating.objects.filter(bot=bot, game="ramen_ramen", seats=2).update(
        milli=milli, low_milli=milli - 50_000, high_milli=milli + 50_000, is_provisional=False
    )
"""


def climb(*words: str) -> tuple[int, str, str]:
    command = [sys.executable, "-m", "ladder.cli", "climb", *words, "--in-process", "--seed", "1"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def test_a_bot_climbs_until_one_is_as_strong() -> None:
    greedy = "engine/games/ramen_ramen/bots/greedy_bot.py"
    code, out, _ = climb("ramen_ramen/2", greedy, "--most", "30", "--json")
    told = json.loads(out)
    assert told["rungs"][0]["bot"] == "random"
    assert told["rungs"][0]["passed"] and told["rungs"][0]["decision"] == "stronger"
    assert (told["passed"], told["reached"], code) == (1, "random", 1)
    assert told["stopped_at"] == told["rungs"][-1]["bot"] != "greedy", "nobody beats itself"


def test_faults_and_unknown_boards_are_told(tmp_path: Path) -> None:
    bot = tmp_path / "bad.py"
    bot.write_text("def decide(view):\n    return 'nonsense'\n")
    code, out, _ = climb("ramen_ramen/2", str(bot), "--most", "3")
    assert code == 3 and "of your bot" in out
    code, _, err = climb("ramen_ramen/9", str(bot))
    assert code == 1 and "Allowed: ramen_ramen/2" in err


@pytest.mark.jail
def test_after_the_house_come_public_bots_of_the_server_the_weakest_first(tmp_path: Path) -> None:
    """The best two whose source is public; neither a house bot nor one with a secret source."""
    environment = product_environment(tmp_path / "var")
    manage(environment, "migrate", "-v0")
    manage(environment, "shell", "-v0", "-c", LADDER)
    port = free_port()
    argv = [PYTHON, "-m", "gunicorn", "ladder.wsgi", "--bind", f"127.0.0.1:{port}"]
    web = Server(argv, port=port, environment=environment, log=tmp_path / "web.log")
    web.start()
    try:
        greedy = "engine/games/ramen_ramen/bots/greedy_bot.py"
        words = ["--all", "--most", "1", "--public", "2", "--seed", "1", "--json"]
        words += ["--server", f"http://127.0.0.1:{port}"]
        done = subprocess.run(
            [str(BIN / "ladle"), "climb", "ramen_ramen/2", greedy, *words],
            cwd=ROOT, capture_output=True, text=True, env=environment, timeout=300,
        )  # fmt: skip
    finally:
        web.stop()
    rungs = json.loads(done.stdout or "{}").get("rungs", done.stderr)
    public = [rung for rung in rungs if not rung["is_house"]]
    assert [(rung["bot"], rung["elo"]) for rung in public] == [("Good", 1500.0), ("Best", 1700.0)]
    assert all(rung["sets"] == 1 and not rung["faults"] for rung in public)
    assert rungs[-2:] == public, "after the house"
