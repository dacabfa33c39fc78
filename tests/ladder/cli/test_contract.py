"""What scripts and CI may rely on: exit codes, JSON, no colour, completion, the same play again."""

import json
import re
import subprocess
import sys

import pytest
from typer.main import get_command

from ladder.cli.app import VERBS, app

FIRST = "def decide(view):\n    return view['legal'][0]\n"
CRASH = "def decide(view):\n    raise RuntimeError('no soup')\n"
HALTING = "def decide(view):\n    breakpoint()\n    return view['legal'][0]\n"


def commands():
    """Every command of every verb, groups opened."""
    group = get_command(app)
    for verb in VERBS:
        command = group.commands[verb]
        yield from getattr(command, "commands", {verb: command}).items()


def test_every_verb_can_answer_in_json():
    without = [
        name
        for name, command in commands()
        if not any("--json" in parameter.opts for parameter in command.params)
    ]

    assert without == []


def test_a_fault_of_ones_own_bot_is_exit_code_3_in_play_and_arena(ladle, write):
    write("crash.py", CRASH)
    write("first.py", FIRST)

    for verb, more in (("play", ()), ("arena", ("--sets", 1))):
        words = (verb, "ramen_ramen")
        assert ladle(*words, "crash.py", "random", "--in-process", *more).code == 3
        assert ladle(*words, "first.py", "random", "--in-process", *more).code == 0


def test_an_arena_shows_faults_as_what_they_are(ladle, write):
    write("crash.py", CRASH)

    told = ladle("arena", "ramen_ramen", "crash.py", "random", "--sets", 2, "--in-process").out

    assert "4 crash in 4 plays" in told
    assert "Faults: crash." in told


def test_new_view_and_verify_answer_in_json(ladle):
    made = json.loads(ladle("new", "ramen_ramen", "b.py", "--json").out)
    ladle("play", "ramen_ramen", "b.py", "random", "--in-process", "--replay", "r.json")
    viewed = json.loads(ladle("view", "r.json", "--json").out)
    verified = ladle("verify", "r.json", "none.json", "--json")

    assert made == {"game": "ramen_ramen", "file": "b.py"}
    assert viewed == {"replay": "r.json", "file": "r.html"}
    assert [one["ok"] for one in json.loads(verified.out)] == [True, False]
    assert (verified.code, verified.err) == (1, "")


def test_no_color_is_obeyed_even_on_a_terminal(ladle, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")  # rich takes it for a terminal
    colour = re.compile(r"\x1b\[[0-9;]*3[0-9]")
    ladle("new", "ramen_ramen", "b.py")
    words = ("arena", "ramen_ramen", "b.py", "b.py", "--sets", 1, "--in-process")

    monkeypatch.setenv("NO_COLOR", "1")
    plain = [ladle(*words).out, ladle("play", "--help").out, ladle("--help").out]

    assert not any(colour.search(told) for told in plain)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_is_printed_for_every_shell(ladle, shell):
    assert "_LADLE_COMPLETE" in ladle("--completion", shell).out


def test_completion_knows_verbs_and_options(process, monkeypatch):
    def completed(*words):
        monkeypatch.setenv("_LADLE_COMPLETE", "complete_bash")
        monkeypatch.setenv("COMP_WORDS", " ".join(("ladle", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        return process().stdout.split()

    assert completed("ver") == ["verify"]
    assert completed("play", "--stdio") == ["--stdio-seat"]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_answers_other_shells_in_their_own_way(process, monkeypatch, shell):
    monkeypatch.setenv("_LADLE_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", "ladle tournament cr")

    told = process().stdout

    assert re.findall("[a-z]+", told.removeprefix("_arguments"))[0] == "create"
    assert "start" not in told


def test_an_unknown_shell_is_refused(refused):
    assert "not for 'tcsh'" in refused("--completion", "tcsh")


@pytest.mark.parametrize("mode", ["--in-process", "--no-sandbox"])
def test_the_same_seed_repeats_the_play_of_bots_that_draw_luck(ladle, mode):
    words = ("play", "ramen_ramen", "random", "random", "--json", mode, "--seed")

    digests = [json.loads(ladle(*words, seed).out)["digest"] for seed in (7, 7, 8)]

    assert digests[0] == digests[1] != digests[2]


def debugged(process_words, typed, tmp_path, project):
    return subprocess.run(
        [sys.executable, "-m", "ladder.cli", *process_words],
        input=typed,
        cwd=tmp_path,
        env={"PYTHONPATH": str(project), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_breakpoint_opens_a_debugger_that_reads_the_terminal(write, tmp_path, project):
    write("halting.py", HALTING)
    words = ("play", "ramen_ramen", "halting.py", "random", "--debug", "--seed", "1")

    ran = debugged(words, "p 'it is ' + view['kind']\nlist\nquit\n", tmp_path, project)

    assert "'it is play'" in ran.stdout
    assert "->" in ran.stdout and "return view['legal'][0]" in ran.stdout
    assert ran.returncode == 130


def test_a_crash_opens_the_debugger_where_it_happened(write, tmp_path, project):
    write("crash.py", CRASH)
    words = ("play", "ramen_ramen", "crash.py", "random", "--debug", "--seed", "1")

    ran = debugged(words, "p view['seat']\nquit\n", tmp_path, project)

    assert "crash.py(2)decide()" in ran.stdout
    assert "(Pdb) 0" in ran.stdout
    assert ran.returncode == 3


def test_the_debugger_needs_the_terminal_for_itself(refused):
    words = ("play", "ramen_ramen", "random", "random", "--debug")

    assert "leave out --json" in refused(*words, "--json")


STDIO = ("play", "ramen_ramen", "greedy", "--in-process", "--seed", "7", "--stdio-seat")


def talk(answer, tmp_path, project, seat="1"):
    """Hold a seat over the wire; the lines heard, the exit code and what went to stderr."""
    held = subprocess.Popen(
        [sys.executable, "-m", "ladder.cli", *STDIO, seat],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={"PYTHONPATH": str(project), "PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        text=True,
    )
    heard = []
    with held:
        for line in held.stdout:
            heard.append(json.loads(line))
            if heard[-1]["type"] == "decide":
                reply = answer(heard[-1])
                if reply is None:
                    held.stdin.close()
                    continue
                held.stdin.write(reply + "\n")
                held.stdin.flush()
        told = held.stderr.read()
    return heard, held.returncode, told


def test_any_program_can_hold_a_seat_over_the_wire(tmp_path, project):
    def first(asked):
        return json.dumps({"id": asked["id"], "action": asked["legal"][0]})

    heard, code, told = talk(first, tmp_path, project)

    assert heard[0] | {"luck": 0} == {
        "type": "start", "protocol": 2, "game": "ramen_ramen", "seat": 1, "seats": 2,
        "options": {"empty_deck": "skip"}, "luck": 0,
    }  # fmt: skip
    assert heard[-1]["type"] == "end"
    assert sum(line["type"] == "decide" for line in heard) > 20
    assert code == 0
    assert "stdio" in told


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda asked: "soup", "not JSON"),
        (lambda asked: json.dumps({"id": "0", "action": asked["legal"][0]}), "another one"),
        (lambda asked: None, "ended without an answer"),
    ],
)
def test_a_program_that_does_not_keep_to_the_wire_is_at_fault(answer, words, tmp_path, project):
    _, code, told = talk(answer, tmp_path, project)

    assert code == 3
    assert words in told


def test_a_seat_that_is_not_at_the_table_is_refused(refused):
    assert "unknown seat 2; --stdio-seat counts from 0: 0 to 1" in refused(*STDIO, 2)


def test_an_arena_goes_on_from_what_its_file_has(ladle, write, tmp_path):
    write("first.py", FIRST)
    words = ("arena", "ramen_ramen", "first.py", "random", "--in-process", "--json")
    ladle(*words, "--sets", 2, "--seed", 5, "--results", "a.jsonl")
    path = tmp_path / "a.jsonl"
    path.write_bytes(path.read_bytes() + b'{"seed":7,"pl')  # as if killed while writing
    early = path.read_bytes().splitlines()[:3]

    again = json.loads(ladle(*words, "--sets", 4, "--results", "a.jsonl").out)
    whole = json.loads(ladle(*words, "--sets", 4, "--seed", 5).out)

    assert path.read_bytes().splitlines()[:3] == early
    assert len(path.read_bytes().splitlines()) == 5
    for told in (again, whole):
        for row in told["bots"]:
            del row["cpu_us_per_decision"]
    assert again == whole


def test_results_of_other_bots_are_not_mixed(ladle, refused, write):
    write("first.py", FIRST)
    words = ("arena", "ramen_ramen", "first.py", "random", "--in-process", "--sets", 1)
    ladle(*words, "--seed", 5, "--results", "a.jsonl")
    write("first.py", FIRST + "# changed\n")
    write("odd.jsonl", "[]\n")

    assert "other bots or rules" in refused(*words, "--results", "a.jsonl")
    assert "not a file of an arena's" in refused(*words, "--results", "odd.jsonl")
    write("first.py", FIRST)
    assert "begins at seed 5" in refused(*words, "--results", "a.jsonl", "--seed", 6)


def test_a_file_that_is_no_record_of_a_tournament_says_what_is_missing(refused, write):
    write("t.json", "{}")

    assert "'format' is missing" in refused("verify", "--tournament", "t.json")


def test_who_never_logged_in_is_told_to(refused, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv("LADLE_SERVER", raising=False)
    monkeypatch.setattr("ladder.cli.remote.connection.DEFAULT_SERVER", "http://127.0.0.1:9")

    assert refused("bots").startswith("log in first: `ladle login")
