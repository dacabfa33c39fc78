"""`ladle cases`: positions in which a bot decided badly, asked again."""

import json

import pytest

from engine.studies.cases import cases_in


@pytest.fixture
def cases(ladle, tmp_path):
    bots = ("random", "greedy", "--seed", 7, "--in-process")
    assert ladle("play", "ramen_ramen", *bots, "--replay", "r.json.gz").code == 0
    assert ladle("analyse", "r.json.gz", "--budget", "quick", "--cases", "c.json").code == 0
    return tmp_path / "c.json"


def test_marked_decisions_become_cases_that_a_bot_can_be_asked(ladle, cases, write):
    found = cases_in(cases.read_bytes())
    assert found
    first = found[0]
    assert first.position.result is None
    answers = {case.better: case.name for case in found}
    assert len(answers) > 1
    write("knows.py", f"def decide(view):\n    return {first.better!r}\n")

    ran = ladle("cases", cases, "knows.py", "--in-process", "--json")

    told = json.loads(ran.out)
    assert ran.code == 1
    assert told["cases"] == len(found)
    assert told["results"][0]["outcome"] == "better"
    assert "fault" in {one["outcome"] for one in told["results"]}


def test_who_knows_every_answer_passes(ladle, cases, write):
    found = json.loads(cases.read_text())
    found["cases"] = found["cases"][:1]
    write("one.json", json.dumps(found))
    write("knows.py", f"def decide(view):\n    return {found['cases'][0]['better']!r}\n")

    ran = ladle("cases", "one.json", "knows.py", "--in-process")

    assert ran.code == 0
    assert "knows, 1 case: 1 better." in ran.out


def test_a_file_without_cases_is_refused_with_a_sentence(refused, write):
    write("no.json", "{}")
    assert "not a file of test cases" in refused("cases", "no.json", "greedy")
    write("none.json", '{"format": "ladle-cases/1", "cases": []}')
    assert "has no test cases" in refused("cases", "none.json", "greedy")
    write("broken.json", '{"format": "ladle-cases/1", "cases": [{}]}')
    assert "is not complete" in refused("cases", "broken.json", "greedy")
