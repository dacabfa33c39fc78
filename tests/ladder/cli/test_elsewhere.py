"""The command on macOS and Windows, as far as Linux can pretend to be them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

FIRST = "def decide(view):\n    return view['legal'][0]\n"
SYSTEMS = {"darwin": "Darwin", "win32": "Windows"}


@pytest.fixture(params=SYSTEMS)
def elsewhere(request, tmp_path, project):
    """Run the command on another system; a traceback is never what it answers with."""

    def run(*words):
        ran = subprocess.run(
            [sys.executable, Path(__file__).with_name("elsewhere.py"), request.param, *words],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": f"{project}:{project / 'ladder/kit'}"},
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert "Traceback" not in ran.stderr, ran.stderr
        return ran

    run.name = SYSTEMS[request.param]
    return run


def test_every_module_of_the_kit_is_imported(elsewhere):
    assert elsewhere().returncode == 0


def test_scripts_play_and_meet_in_arenas(elsewhere, tmp_path):
    (tmp_path / "first.py").write_text(FIRST)

    assert elsewhere("--help").stdout.startswith("Usage: ladle")
    assert "ramen_ramen" in elsewhere("games").stdout
    played = elsewhere("play", "ramen_ramen", "first.py", "greedy", "--seed", "1", "--json")
    met = elsewhere("arena", "ramen_ramen", "first.py", "greedy", "--sets", "2")

    assert json.loads(played.stdout)["mode"] == "in process, unconfined"
    assert f"this is {elsewhere.name}" in played.stderr
    assert met.returncode == 0


def test_bundles_need_a_system_that_has_run_their_shims(elsewhere, tmp_path):
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "bot.py").write_text(FIRST)
    (tmp_path / "first.py").write_text(FIRST)
    words = ("--seed", "1", "--json")

    ran = elsewhere("play", "ramen_ramen", "net", "greedy", *words)

    if elsewhere.name == "Windows":
        assert (ran.returncode, ran.stdout) == (1, "")
        assert "need Linux or macOS" in ran.stderr
    else:
        script = elsewhere("play", "ramen_ramen", "first.py", "greedy", *words)
        bundle, alone = json.loads(ran.stdout), json.loads(script.stdout)
        assert bundle["mode"] == "in process, unconfined"
        points = [[seat["points"] for seat in told["seats"]] for told in (bundle, alone)]
        assert points[0] == points[1]


@pytest.mark.parametrize("verb", ["check", "reproduce", "runtime"])
def test_what_needs_linux_is_refused_with_a_sentence(elsewhere, tmp_path, verb, process):
    (tmp_path / "first.py").write_text(FIRST)
    words = {
        "check": ("first.py", "--game", "ramen_ramen"),
        "reproduce": ("r.json", "--bot", "first.py"),
        "runtime": (),
    }
    if verb == "reproduce":
        made = ("play", "ramen_ramen", "first.py", "first.py", "--in-process", "--replay", "r.json")
        assert process(*made).returncode == 0

    ran = elsewhere(verb, *words[verb])

    assert (ran.returncode, ran.stdout) == (1, "")
    *_, sentence = ran.stderr.splitlines()
    assert "Linux" in sentence
    assert f"this is {elsewhere.name}" in sentence
