"""`ladle tournament run`: a tournament at home is one the site would have held."""

import json

import pytest

from ladder.tournaments import FORMATS
from ladder.tournaments.record import BadRecord, verify
from ladle import tournament
from tests.ladder.cli.conftest import ladle, refused, write  # noqa: F401 - fixtures

FIRST = "def decide(view):\n    return view['legal'][0]\n"
CRASH = "def decide(view):\n    raise RuntimeError('no soup')\n"
RUN = ("tournament", "run")


@pytest.mark.parametrize("name", FORMATS)
def test_the_record_of_every_format_can_be_followed(ladle, write, name):  # noqa: F811
    write("mine.py", FIRST)
    game, seats = (
        ("ramen_ramen", 2) if FORMATS[name].fits(2, range(2, 3)) else ("potage_sauvage", 3)
    )
    bots = ("mine.py", "greedy", "random", "random", "random")
    words = ("--format", name, "--seats", seats, "--seed", 5, "--in-process", "--json")

    ran = ladle(*RUN, game, *bots, *words)

    record = json.loads(ran.out)
    assert ran.code == 0
    assert record["status"] == "finished"
    assert "5 entrants" in verify(record)
    assert json.loads(ladle(*RUN, game, *bots, *words).out) == record
    record["standings"][0]["points"] = "99"
    with pytest.raises(BadRecord):
        verify(record)


def test_the_better_bot_wins_and_the_table_says_why(ladle, write):  # noqa: F811
    write("mine.py", FIRST)
    words = ("--sets", 3, "--seed", 1, "--in-process", "--record", "cup.json")

    ran = ladle(*RUN, "ramen_ramen", "mine.py", "greedy", *words)

    first = next(line for line in ran.out.splitlines() if "1  " in line[:8])
    assert "greedy" in first
    assert "ahead of seed 1 on points" in " ".join(ran.out.split())
    assert ladle("verify", "--tournament", "cup.json").code == 0


@pytest.mark.parametrize("name", ["round_robin", "single_elimination"])
def test_a_tournament_that_was_stopped_goes_on_to_the_same_end(ladle, write, tmp_path, name):  # noqa: F811
    write("crash.py", CRASH)
    bots = ("crash.py", "greedy", "random", "random")
    words = (*RUN, "ramen_ramen", *bots, "--format", name, "--sets", 2, "--in-process")
    whole = json.loads(ladle(*words, "--seed", 5, "--json").out)
    path = tmp_path / "cup.json"
    stopped = json.loads(json.dumps(whole))
    stopped["status"] = "running"
    del stopped["tables"][2:], stopped["tables"][1]["sets"][0]  # the second set ended first
    stopped["tables"][0]["sets"][0]["points"][0][0] = 77  # to see that it is not played anew
    path.write_text(json.dumps(stopped))

    ran = ladle(*words, "--record", "cup.json", "--json")

    found = json.loads(path.read_text())
    assert found == json.loads(ran.out)
    assert found["tables"][0]["sets"][0]["points"][0][0] == 77
    assert ran.code == 3  # by the faults of the first part, too
    found["tables"][0]["sets"][0]["points"][0][0] = whole["tables"][0]["sets"][0]["points"][0][0]
    assert found["tables"] == whole["tables"]


def test_ctrl_c_leaves_a_record_to_go_on_from(ladle, tmp_path, monkeypatch):  # noqa: F811
    words = (
        *RUN,
        "ramen_ramen",
        "greedy",
        "random",
        "random",
        "--in-process",
        "--record",
        "c.json",
    )
    real, count = tournament.set_result, 0

    def stop_at_third(*arguments):
        nonlocal count
        count += 1
        if count == 3:
            raise KeyboardInterrupt
        return real(*arguments)

    monkeypatch.setattr(tournament, "set_result", stop_at_third)
    assert ladle(*words).code == 130
    half = json.loads((tmp_path / "c.json").read_text())
    monkeypatch.setattr(tournament, "set_result", real)

    assert ladle(*words).code == 0

    done = json.loads((tmp_path / "c.json").read_text())
    assert (half["status"], done["status"]) == ("running", "finished")
    kept = [one["sets"] for one in half["tables"] if one["sets"]]
    assert len(kept) == 2 and all(sets in [one["sets"] for one in done["tables"]] for sets in kept)
    assert "3 entrants" in verify(done)


def test_records_of_other_tournaments_are_not_mixed(ladle, refused, write):  # noqa: F811
    words = (*RUN, "ramen_ramen", "greedy", "random", "--in-process", "--record", "cup.json")
    ladle(*words, "--seed", 5)
    write("odd.json", "[]")
    write("no.json", "{")

    assert "of other bots, or of another game, format or seed" in refused(*words, "--seed", 6)
    assert "of other bots" in refused(*words, "--sets", 2)
    assert "not the record" in refused(*words[:-1], "odd.json")
    assert "not JSON" in refused(*words[:-1], "no.json")


@pytest.mark.jail
def test_two_jobs_in_the_sandbox_play_the_same_tournament(ladle, write):  # noqa: F811
    write("mine.py", FIRST)
    words = (*RUN, "ramen_ramen", "mine.py", "greedy", "--seed", 5, "--json")

    assert ladle(*words, "--jobs", 2).out == ladle(*words, "--in-process").out


def test_a_fault_of_ones_own_is_told_and_is_exit_code_3(ladle, write):  # noqa: F811
    write("crash.py", CRASH)

    ran = ladle(*RUN, "ramen_ramen", "crash.py", "random", "--in-process")

    assert ran.code == 3
    assert "Fault: crash, 2 crash." in ran.out


def test_what_cannot_be_is_refused_with_a_sentence(refused):  # noqa: F811
    two = ("ramen_ramen", "greedy", "random")
    for words, sentence in (
        ((*two, "--format", "sweepstake"), "the formats are round_robin"),
        ((*two, "--format", "pods"), "is not for tables of 2 sides"),
        ((*two, "--seats", 9), "is for 1 to 4 seats, not 9"),
        ((*two, "--option", "cycles=9"), "is from 1 to 4"),
        ((*two, "--option", "soup=9"), "has no option"),
        ((*two, "--record", "nowhere/cup.json"), "there is no folder"),
        (("ramen_ramen", "greedy"), "needs 2 bots at least"),
    ):
        assert sentence in refused(*RUN, *words)
