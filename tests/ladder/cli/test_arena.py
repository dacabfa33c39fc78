import json
import os
import signal
import subprocess
import sys
import time

import pytest

from ladle.players import Log, Mode, launching

FIRST = "def decide(view):\n    return view['legal'][0]\n"
CRASH = "def decide(view):\n    raise RuntimeError('no soup')\n"


def without_cpu(told):
    for row in told["bots"]:
        del row["cpu_us_per_decision"]
    return told


@pytest.mark.parametrize(("bots", "seats", "plays"), [(2, 2, 2), (3, 3, 3), (2, 4, 2), (2, 1, 1)])
def test_the_counts_of_an_arena_add_up(ladle, bots, seats, plays):
    ran = ladle(
        "arena", "ramen_ramen", *["random"] * bots, "--seats", seats, "--sets", 6, "--seed", 1,
        "--in-process", "--json",
    )  # fmt: skip
    told = json.loads(ran.out)

    assert ran.code == 0
    assert told["sets"] == 6
    for row in told["bots"]:
        assert row["won"] + row["shared"] + row["lost"] == row["plays"] == 6 * plays
        assert 0 <= row["win_rate_low"] <= row["win_rate"] <= row["win_rate_high"] <= 1
        assert 1 <= row["mean_place"] <= seats
        assert sorted(row["win_rate_by_seat"]) == [str(seat) for seat in range(seats)]
    assert sum(row["win_rate"] for row in told["bots"]) == pytest.approx(1)


def test_the_same_bot_twice_is_told_apart_and_even(ladle, write):
    write("first.py", FIRST)

    told = json.loads(
        ladle(
            "arena", "ramen_ramen", "first.py", "first.py", "--sets", 4, "--in-process", "--json"
        ).out
    )

    assert [row["bot"] for row in told["bots"]] == ["first #1", "first #2"]
    assert [row["win_rate"] for row in told["bots"]] == [0.5, 0.5]


def test_a_bot_that_always_crashes_loses_every_play_and_its_faults_are_counted(ladle, write):
    write("crash.py", CRASH)

    ran = ladle("arena", "ramen_ramen", "crash.py", "random", "--sets", 3, "--in-process", "--json")
    crash, other = json.loads(ran.out)["bots"]

    assert crash["faults"] == {"crash": 6}
    assert (crash["lost"], other["won"]) == (6, 6)
    assert other["win_rate_low"] < 1
    assert crash["example_fault"]["kind"] == "crash"
    assert other["example_fault"] is None


def test_the_example_of_a_fault_comes_with_a_command_that_shows_it_again(ladle, write):
    write("crash.py", CRASH)
    words = ("arena", "ramen_ramen", "crash.py", "random", "--sets", 2, "--in-process")

    command = json.loads(ladle(*words, "--json").out)["bots"][0]["example_fault"]["command"]
    again = ladle(*command.split()[1:])

    assert "no soup" in ladle(*words).out
    assert "no soup" in again.out
    assert command.endswith("--in-process")


def test_and_the_command_has_the_rules_that_were_played(ladle, write):
    write("crash.py", CRASH)
    words = ("arena", "ramen_ramen", "crash.py", "random", "--sets", 1, "--in-process", "--json")

    told = ladle(*words, "--option", "empty_deck=second_fridge_card").out

    assert (
        "--option empty_deck=second_fridge_card"
        in json.loads(told)["bots"][0]["example_fault"]["command"]
    )


def test_several_processes_find_the_same_as_one(ladle, process, write):
    write("first.py", FIRST)
    words = (
        "arena", "ramen_ramen", "first.py", "first.py", "--sets", 5, "--seed", 9,
        "--in-process", "--json",
    )  # fmt: skip

    alone = json.loads(ladle(*words).out)
    together = json.loads(process(*words, "--jobs", 2).stdout)

    assert without_cpu(together) == without_cpu(alone)


def test_the_table_has_a_row_per_bot_with_its_interval(ladle):
    ran = ladle("arena", "ramen_ramen", "greedy", "random", "--sets", 4, "--in-process")

    assert ran.code == 0
    rows = {line.split()[0]: line for line in ran.out.splitlines() if line.strip()}
    assert "–" in rows["greedy"]
    assert "–" in rows["random"]


def test_until_decided_ends_with_a_verdict_and_pools_copies(ladle):
    words = ("arena", "potage_sauvage", "greedy", "random", "--seats", 4, "--until-decided")
    words += ("--seed", 1, "--in-process")

    ran, told = ladle(*words), json.loads(ladle(*words, "--json").out)

    first, rest = told["bots"]
    assert (first["bot"], first["copies"], rest["bot"], rest["copies"]) == (
        "greedy",
        1,
        "random",
        3,
    )
    assert first["win_rate"] + 3 * rest["win_rate"] == pytest.approx(1)
    assert rest["plays"] == 3 * first["plays"] == 3 * 4 * told["sets"]
    assert told["chance"] == 0.25
    assert told["comparison"]["decision"] == "stronger"
    assert told["comparison"]["elo_low"] > 40
    assert "chance wins 25.0%" in ran.out
    assert "random × 3" in ran.out
    assert f"greedy against random: {told['comparison']['sentence']}" in ran.out


def test_until_decided_plays_at_most_what_it_may_and_goes_on_from_its_results(ladle):
    words = ("arena", "ramen_ramen", "greedy", "random", "--until-decided", "--in-process")
    words += ("--results", "mine.jsonl", "--json", "--most")

    short = json.loads(ladle(*words, 5).out)
    whole = json.loads(ladle(*words, 100).out)

    assert short["comparison"]["sentence"].startswith("not decided after 5 sets: ")
    assert (short["sets"], short["first_seed"]) == (5, whole["first_seed"])
    assert 5 < whole["sets"] < 100
    assert whole["comparison"]["decision"] == "stronger"


def test_until_decided_several_processes_stop_at_the_same_set(ladle, process, write):
    write("first.py", FIRST)
    words = (
        "arena", "ramen_ramen", "greedy", "first.py", "--until-decided", "--seed", 9,
        "--in-process", "--json",
    )  # fmt: skip

    alone = json.loads(ladle(*words).out)
    together = json.loads(process(*words, "--jobs", 2).stdout)

    assert without_cpu(together) == without_cpu(alone)


def test_until_decided_wants_two_different_bots(refused):
    assert "two different" in refused(
        "arena", "ramen_ramen", "greedy", "greedy", "--until-decided", "--in-process"
    )


@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_shows_what_was_played_so_far(tmp_path, project, jobs):
    done = tmp_path / "done"
    (tmp_path / "marking.py").write_text(
        FIRST + f"def end(info):\n    with open({str(done)!r}, 'a') as file: file.write('.')\n"
    )
    arena = subprocess.Popen(
        [sys.executable, "-m", "ladder.cli", "arena", "ramen_ramen", "marking.py", "random",
         "--sets", "100000", "--in-process", "--json", "--jobs", str(jobs)],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(project)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 120
        while not (done.exists() and done.stat().st_size >= 4 * jobs + 4):
            assert time.monotonic() < deadline and arena.poll() is None
            time.sleep(0.05)
        os.killpg(arena.pid, signal.SIGINT)  # as a terminal does: the whole foreground group
        out, err = arena.communicate(timeout=120)
    finally:
        if arena.poll() is None:
            os.killpg(arena.pid, signal.SIGKILL)

    told = json.loads(out)
    assert arena.returncode == 130
    assert 0 < told["sets"] < 100000
    assert told["complete"] is False
    assert f"stopped after {told['sets']} set" in err


def test_ctrl_c_while_a_bots_log_stands_in_for_the_output_gives_it_back(monkeypatch):
    own = sys.stdout
    monkeypatch.setattr("sys.stdout", own)  # should it fail, for the tests after it

    with pytest.raises(KeyboardInterrupt), launching(Mode.IN_PROCESS):
        sys.stdout = Log()
        raise KeyboardInterrupt

    assert sys.stdout is own


def test_an_arena_that_cannot_be_set_up_is_refused(refused):
    assert "--sets" in refused("arena", "ramen_ramen", "random", "random", "--sets", 0)
    assert "--jobs" in refused("arena", "ramen_ramen", "random", "random", "--jobs", 0)
    assert "not 9" in refused("arena", "ramen_ramen", "random", "random", "--seats", 9)
    assert "for 2 bots, not 3" in refused("arena", "ramen_ramen", *["random"] * 3, "--seats", 4)
    assert "7 sides" in refused("arena", "ramen_ramen", *["random"] * 7)
    assert "between 0 and" in refused(
        "arena", "ramen_ramen", "random", "random", "--seed", 2**53 - 1, "--sets", 2
    )
