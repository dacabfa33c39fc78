"""The ways a bot can run: the sandbox, a child process, this process."""

import json

import pytest

FIRST = "def decide(view):\n    return view['legal'][0]\n"
NOSY = """
def decide(view):
    try:
        print("READ", open("/etc/passwd").read(4))
    except OSError as error:
        print("REFUSED", error)
    return view["legal"][0]
"""
ENDLESS = "def decide(view):\n    while True:\n        pass\n"


@pytest.mark.jail
def test_the_sandbox_is_the_default_and_keeps_files_out_of_reach(ladle, write):
    write("nosy.py", NOSY)

    told = json.loads(ladle("play", "ramen_ramen", "nosy.py", "random", "--json").out)

    assert told["mode"] == "in the sandbox"
    assert told["seats"][0]["fault"] is None
    assert "REFUSED" in told["seats"][0]["log"]
    assert "READ" not in told["seats"][0]["log"]


@pytest.mark.jail
def test_what_the_sandbox_played_is_true_to_another_process(process):
    words = ("play", "ramen_ramen", "greedy", "random", "--seed", 7, "--replay", "r.json.gz")

    played = process(*words)
    verified = process("verify", "r.json.gz")

    assert (played.returncode, played.stderr) == (0, "")
    assert (verified.returncode, verified.stderr) == (0, "")
    assert verified.stdout.split()[-1] in played.stdout


@pytest.mark.jail
def test_all_modes_give_the_same_play(ladle, write):
    write("first.py", FIRST)
    words = ("play", "ramen_ramen", "first.py", "first.py", "--seed", 4, "--json")

    told = [
        json.loads(ladle(*words, *mode).out) for mode in ([], ["--no-sandbox"], ["--in-process"])
    ]

    assert len({play["digest"] for play in told}) == 1
    assert len({play["mode"] for play in told}) == 3
    assert all(seat["cpu_us"] > 0 for play in told for seat in play["seats"])


@pytest.mark.jail
def test_a_javascript_bot_plays_the_same_unconfined(ladle, write):
    write("first.js", "function decide(view) {\n  return view.legal[0];\n}\n")
    words = ("play", "ramen_ramen", "first.js", "first.js", "--seed", 4, "--json")

    told = [
        json.loads(ladle(*words, *mode).out) for mode in ([], ["--no-sandbox"], ["--in-process"])
    ]

    assert len({play["digest"] for play in told}) == 1
    assert [play["seats"][0]["fault"] for play in told] == [None, None, None]


@pytest.mark.jail
def test_an_endless_loop_is_a_timeout_told_in_words(ladle, write):
    write("endless.py", ENDLESS)

    ran = ladle("play", "ramen_ramen", "endless.py", "random", "--seed", 1)

    assert ran.code == 3
    assert "Fault of seat 1 (endless), timeout:" in ran.out
    assert "CPU time" in ran.out


@pytest.mark.jail
def test_an_arena_in_the_sandbox_plays_whole_sets(ladle):
    ran = ladle("arena", "ramen_ramen", "greedy", "random", "--sets", 2, "--json")
    told = json.loads(ran.out)

    assert told["mode"] == "in the sandbox"
    assert [row["plays"] for row in told["bots"]] == [4, 4]
    assert [row["faults"] for row in told["bots"]] == [{}, {}]


@pytest.mark.jail
def test_several_processes_in_the_sandbox_end_without_a_word(process):
    ran = process("arena", "ramen_ramen", "random", "random", "--sets", 3, "--jobs", 2, "--json")

    assert ran.returncode == 0
    assert ran.stderr == ""
    assert json.loads(ran.stdout)["sets"] == 3


def test_without_bubblewrap_a_play_goes_on_unconfined_with_one_warning(
    ladle, write, monkeypatch, tmp_path
):
    write("first.py", FIRST)
    monkeypatch.setenv("PATH", str(tmp_path))

    ran = ladle("play", "ramen_ramen", "first.py", "random", "--json")

    assert ran.code == 0
    assert json.loads(ran.out)["mode"] == "as child processes, unconfined"
    assert ran.err.startswith("ladle: warning: the bots run unconfined")
    assert ran.err.count("\n") == 1


@pytest.mark.jail
def test_runtime_says_where_it_is_and_for_which_languages(ladle):
    ran = ladle("runtime", "--json")
    told = json.loads(ran.out)

    assert ran.code == 0
    assert told["missing"] is None
    assert "Python" in told["languages"]
    assert told["base"] in ladle("runtime").out


@pytest.mark.parametrize("words", [(), ("--json",)])
def test_runtime_clean_removes_what_was_built_and_nothing_else(ladle, monkeypatch, tmp_path, words):
    runtime, var = tmp_path / "runtime", tmp_path / "var"
    monkeypatch.setenv("LADLE_RUNTIME", str(runtime))
    monkeypatch.setenv("LADLE_VAR", str(var))
    stamp, digest = "0123456789abcdef", "ab" * 32
    built = [runtime / f"base-{stamp}/lib", runtime / f"code-{stamp}", runtime / "bundles" / digest]
    built += [var / "compiled", var / f"runtime/base-{stamp}"]  # the last of an earlier release
    kept = [runtime / "mine", runtime / "code-review", runtime / "bundles/mine", var / "media"]
    for folder in (*built, *kept):
        folder.mkdir(parents=True)
        (folder / "file").write_bytes(b"x" * 400_000)

    first, second = (ladle("runtime", "--clean", *words) for _ in range(2))

    assert not [path for path in built if (path / "file").exists()]
    assert all((path / "file").exists() for path in kept)
    if words:
        assert json.loads(first.out)["removed_bytes"] == 2_000_000
        assert json.loads(second.out)["removed_bytes"] == 0
    else:
        assert first.out.startswith("2 MB removed")
        assert second.out == f"Nothing to remove in {runtime}.\n"
