"""The command on macOS and Windows, as far as Linux can pretend to be them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.languages import WEBASSEMBLY

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


KINDS = {
    "net": FIRST,
    "first.js": "function decide(view) { return view.legal[0]; }\n",
    "first.wasm": WEBASSEMBLY.probe(),
}


def written(folder, kind):
    """A bot of that kind that takes the first choice."""
    content = KINDS[kind]
    path = folder / kind
    if kind == "net":
        path.mkdir()
        path /= "bot.py"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return kind


@pytest.mark.parametrize("kind", KINDS)
def test_bots_of_every_kind_play_as_the_script_does(elsewhere, tmp_path, kind):
    (tmp_path / "first.py").write_text(FIRST)
    bots = (written(tmp_path, kind), "first.py")

    told = [
        json.loads(elsewhere("play", "ramen_ramen", bot, "greedy", "--seed", "1", "--json").stdout)
        for bot in bots
    ]

    points = [[seat["points"] for seat in one["seats"]] for one in told]
    assert points[0] == points[1]
    assert all("unconfined" in one["mode"] for one in told)


@pytest.mark.parametrize("kind", KINDS)
def test_a_bot_is_checked_unconfined_and_the_verdict_says_so(elsewhere, tmp_path, kind):
    words = ("check", written(tmp_path, kind), "--game", "ramen_ramen", "--seats", "2")

    ran = elsewhere(*words)

    assert ran.returncode == 0, ran.stderr
    assert "may play Ramen! Ramen! (as child processes, unconfined)" in ran.stdout
    assert f"this is {elsewhere.name}" in ran.stderr


def test_a_bot_with_a_mistake_fails_its_check(elsewhere, tmp_path):
    (tmp_path / "bad.py").write_text("def decide(view):\n    return view['soup']\n")

    ran = elsewhere("check", "bad.py", "--game", "ramen_ramen", "--seats", "2")

    assert ran.returncode == 1
    assert "KeyError: 'soup'" in ran.stdout


@pytest.mark.parametrize("kind", ["net", "first.wasm"])
def test_a_replay_is_reproduced_unconfined_and_the_answer_says_so(
    elsewhere, tmp_path, kind, process
):
    """The replay was made on Linux; of a module the fuel of each decision is compared too."""
    bot = written(tmp_path, kind)
    made = process("play", "ramen_ramen", bot, "random", "--no-sandbox", "--replay", "r.json")
    assert made.returncode == 0, made.stderr

    refused = elsewhere("reproduce", "r.json", "--bot", bot)
    ran = elsewhere("reproduce", "r.json", "--bot", bot, "--no-sandbox")

    assert refused.returncode == 1 and "If you trust its author" in refused.stderr
    assert ran.returncode == 0, ran.stderr
    assert "reproduced" in ran.stdout
    assert "(as child processes, unconfined)" in ran.stdout
    assert ("and the fuel of each" in ran.stdout) == (kind == "first.wasm")


def test_the_runtime_needs_linux_and_says_so(elsewhere):
    for words in (("runtime",), ("runtime", "--clean")):
        ran = elsewhere(*words)

        assert (ran.returncode, ran.stdout) == (1, "")
        assert f"the sandbox needs Linux, and this is {elsewhere.name}" in ran.stderr


TUNED = """FIRST = 0.5  # tune 0 to 1


def decide(view):
    return view["legal"][round(FIRST) - 1]
"""
ROUND = {  # command: exit code and words of its answer
    "new ramen_ramen mine.py": (0, "Wrote mine.py"),
    "conformance ramen_ramen --seats 1 --seed 1": (0, '"type": "end"'),
    "play ramen_ramen first.py greedy --seed 1 --replay r.json.gz": (0, "replay written"),
    "verify r.json.gz": (0, "r.json.gz: ok"),
    "view r.json.gz -o r.html": (0, "written to r.html"),
    "analyse r.json.gz --budget quick --cases cases.json": (0, "Better: "),
    "cases cases.json first.py": (1, "same mistake"),
    "tune tuned.py --game ramen_ramen --steps 1 --sets 1 -o better.py": (0, "Wrote better.py"),
    "climb ramen_ramen/2 first.py --most 1 --public 0": (1, "Next to beat: random"),
    "league add mine.league first.py --game ramen_ramen": (0, "first v1 is added"),
    "league play mine.league --sets 1": (0, "after one set"),
    "league table mine.league": (0, "first v1"),
    "tournament run ramen_ramen first.py random --seed 1 --record cup.json": (0, "record written"),
    "verify --tournament cup.json": (0, "cup.json: ok"),
}


@pytest.mark.parametrize("system", [*SYSTEMS, "linux"])
def test_all_other_local_verbs_work_without_a_sandbox(system, tmp_path, project):
    """On Linux there is no bubblewrap. Several commands share a process, as it starts slowly."""
    (tmp_path / "first.py").write_text(FIRST)
    (tmp_path / "tuned.py").write_text(TUNED)
    (tmp_path / "bin").mkdir()

    ran = subprocess.run(
        [sys.executable, Path(__file__).with_name("elsewhere.py"), system, "-"],
        input=json.dumps([command.split() for command in ROUND]),
        cwd=tmp_path,
        env=os.environ
        | {"PYTHONPATH": f"{project}:{project / 'ladder/kit'}", "PATH": f"{tmp_path / 'bin'}"},
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert ran.returncode == 0, ran.stderr
    told = zip(ROUND.items(), json.loads(ran.stdout), strict=True)
    for (command, (code, words)), (ended, out, err) in told:
        assert (ended, words in out) == (code, True), f"{command}: {out}{err}"
