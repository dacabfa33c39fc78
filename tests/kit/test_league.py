"""`ladle league`: versions and sets in one file, rated as on a site."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.games import GAMES
from ladle import Refusal
from ladle.league import Head, League
from ladle.players import Mode
from tests.ladder.cli.conftest import ladle, refused, write  # noqa: F401 - fixtures

FIRST = "def decide(view):\n    return view['legal'][0]\n"
LAST = "def decide(view):\n    return view['legal'][-1]\n"
CRASH = "def decide(view):\n    raise RuntimeError('no soup')\n"
GREEDY = GAMES["ramen_ramen"].house_bots()["greedy"].read_text()


@pytest.fixture
def begun(ladle, write):  # noqa: F811
    """A league with one version of `mine`."""
    write("mine.py", FIRST)
    words = ("--game", "ramen_ramen", "--seed", 1)
    assert ladle("league", "add", "l.league", "mine.py", *words).out == "mine v1 is added.\n"
    return ladle


def table(run, *words):
    return json.loads(run("league", "table", "l.league", "--json", *words).out)


def test_a_changed_file_is_the_next_version_and_an_unchanged_one_is_in_already(begun, write):  # noqa: F811
    assert "in already" in begun("league", "add", "l.league", "mine.py").out

    write("mine.py", LAST)

    assert "mine v2 is added" in begun("league", "add", "l.league", "mine.py").out
    names = {one["version"] for one in table(begun)["versions"]}
    assert names == {"mine v1", "mine v2", "greedy", "random", "chef"}


def test_an_old_version_plays_on_after_its_file_is_gone(begun, tmp_path):
    (tmp_path / "mine.py").unlink()

    ran = begun("league", "play", "l.league", "--sets", 2, "--in-process", "--json")

    (own,) = [one for one in json.loads(ran.out)["versions"] if not one["is_house"]]
    assert (ran.code, own["sets"], own["faults"]) == (0, 2, {})


def test_a_stronger_version_comes_out_ahead_on_the_sites_own_scale(begun, write):  # noqa: F811
    write("mine.py", GREEDY)
    begun("league", "add", "l.league", "mine.py")
    begun("league", "play", "l.league", "--sets", 30, "--in-process")

    told = {one["version"]: one for one in table(begun)["versions"]}

    assert told["greedy"]["elo"] == GAMES["ramen_ramen"].anchors()[2]["greedy"][0]
    assert told["mine v2"]["low"] > told["mine v1"]["elo"]
    assert told["mine v2"]["low"] < told["greedy"]["elo"] < told["mine v2"]["high"]


def test_two_jobs_play_as_many_sets_and_keep_each_with_those_who_played_it(begun, tmp_path):
    begun("league", "play", "l.league", "--sets", 5, "--jobs", 2, "--in-process")

    league = League(tmp_path / "l.league")

    assert len({one.record.seed for one in league.sets}) == 5
    own = next(at for at, one in enumerate(league.versions) if not one.is_house)
    assert all(own in one.versions for one in league.sets)


def test_what_to_play_next_is_said_with_a_reason_until_all_is_known(begun, tmp_path):
    due = table(begun)["next"]
    league = League(tmp_path / "l.league")
    fitted = league.fit()
    for place, one in fitted.rated.items():  # as if known to a point
        fitted.rated[place] = replace(one, low=one.value - 1, high=one.value + 1, sets=50)

    assert due["table"][0] == "mine v1"
    assert due["why"].startswith("mine v1 has no rank yet after no sets")
    assert league.next_table(fitted) is None


def test_a_solo_league_runs_everybody_on_the_same_seed(ladle, write, tmp_path):  # noqa: F811
    write("mine.py", FIRST)
    ladle("league", "add", "solo.league", "mine.py", "--game", "ramen_ramen", "--seats", 1)

    ladle("league", "play", "solo.league", "--sets", 1, "--in-process")

    (met,) = League(tmp_path / "solo.league").sets
    assert len(met.versions) == 4


def test_a_fault_of_ones_own_is_told_and_is_exit_code_3(ladle, write):  # noqa: F811
    write("crash.py", CRASH)
    ladle("league", "add", "l.league", "crash.py", "--game", "ramen_ramen")

    ran = ladle("league", "play", "l.league", "--sets", 1, "--in-process")

    assert ran.code == 3
    assert "2 crash" in ran.out


def test_half_a_line_of_a_run_that_was_killed_does_no_harm(begun, tmp_path):
    path = tmp_path / "l.league"
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"type":"set","vers')

    list(League(path).play(1, Mode.IN_PROCESS))

    assert path.read_bytes().startswith(whole)
    assert len(League(path).sets) == 1


def test_what_cannot_be_is_refused_with_a_sentence(refused, begun, write):  # noqa: F811
    write("other.league", "soup")
    for words, sentence in (
        (("add", "new.league", "mine.py"), "give its game with --game"),
        (("add", "new.league", "mine.py", "--game", "ramen_ramen", "--seats", 9), "not 9"),
        (("add", "l.league", "mine.py", "--seats", 3), "exists: leave out"),
        (("add", "l.league", "greedy"), "is a house bot"),
        (("table", "none.league"), "there is no league none.league"),
        (("play", "other.league"), "is not the file of a league"),
    ):
        assert sentence in refused("league", *words)
    with pytest.raises(Refusal, match="cannot be written"):
        League.begin(Path("nowhere/l.league"), Head("ramen_ramen", 2, {}, 1))
