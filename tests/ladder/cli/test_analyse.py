"""`ladle analyse`: words for people, one JSON text for programs."""

import json
import re

import pytest

from engine.analysis.analyst import Settings
from engine.analysis.run import analyse
from engine.replay import read

PARTS = ("first=2", "pairs=8", "worlds=2", "checks=2")
SMALL = [word for part in PARTS for word in ("--settings", part)]


@pytest.fixture
def replay(ladle, tmp_path):
    bots = ("greedy", "random", "--seed", 7, "--in-process")
    assert ladle("play", "ramen_ramen", *bots, "--replay", "r.json.gz").code == 0
    return tmp_path / "r.json.gz"


def test_the_json_is_the_one_text_of_the_analysis(ladle, replay):
    ran = ladle("analyse", replay, *SMALL, "--json")

    assert ran.code == 0
    expected = analyse(read(replay.read_bytes()), Settings(2, 8, 2, 2))
    assert ran.out.encode() == expected.to_bytes() + b"\n"
    assert json.loads(ran.out)["settings"] == {"first": 2, "pairs": 8, "worlds": 2, "checks": 2}


def test_people_read_who_was_lucky_and_what_was_better(ladle, replay):
    told = ladle("analyse", replay, "--budget", "quick").out

    assert "judged by Cook" in told
    assert "greedy: Won by 50: luck " in told
    assert "lost per 100 decisions" in told
    heads = re.split(r"\s{2,}", next(x for x in told.splitlines() if "lost per 100" in x).strip())
    assert heads[-3:] == ["forced", "indifferent", "disputed"]
    assert "Better: put " in told


def test_what_cannot_be_analysed_is_refused_with_a_sentence(ladle, refused, replay, write):
    assert "quick, standard, thorough" in refused("analyse", replay, "--budget", "huge")
    assert "Allowed: first, pairs, worlds, checks" in refused(
        "analyse", replay, "--settings", "pears=3"
    )
    assert "form NAME=N" in refused("analyse", replay, "--settings", "pairs")
    assert "from 2 to 100000" in refused("analyse", replay, "--settings", "pairs=0")
    write("cut.json", json.dumps(read(replay.read_bytes()).cut(9).to_json()))
    assert "not over" in refused("analyse", "cut.json")


def test_a_game_that_is_not_validated_says_so(ladle):
    words = ("safranito", "greedy", "greedy", "--seed", 1, "--in-process", "--replay", "s.json.gz")
    ladle("play", *words)

    told = ladle("analyse", "s.json.gz", *SMALL).out

    assert "has not been validated, so no decision is marked" in told
    assert "lost per 100" not in told
