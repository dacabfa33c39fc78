"""`ladle climb`: rungs from the weakest house bot on, until one is not passed."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.servers import ROOT


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
