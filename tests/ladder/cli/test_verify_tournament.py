import json

import pytest

from ladder.services import tournaments
from tests.ladder.tournaments.events import enter, make_tournament, play_out, started

pytestmark = pytest.mark.django_db


@pytest.fixture
def record():
    tournament = make_tournament(format="single_elimination")
    enter(tournament, 3)
    return tournaments.as_record(play_out(started(tournament)))


def test_a_true_tournament_is_ok(ladle, record, tmp_path):
    (tmp_path / "t.json").write_text(json.dumps(record))

    ran = ladle("verify", "--tournament", "t.json")

    assert ran.code == 0
    assert ran.out.startswith("t.json: ok, 3 entrants")


def test_a_changed_seed_ends_in_one_sentence_and_exit_code_1(refused, ladle, record, tmp_path):
    record["tables"][0]["sets"][0]["seed"] += 1
    (tmp_path / "t.json").write_text(json.dumps(record))

    assert "the seed of set 1" in refused("verify", "--tournament", "t.json")
    assert ladle("verify", "--tournament", "t.json").code == 1


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000, '"soup"', "{}"])
def test_a_file_that_is_no_record_is_refused(refused, tmp_path, content):
    (tmp_path / "t.json").write_text(content)

    assert "t.json" in refused("verify", "--tournament", "t.json")


def test_nothing_to_verify_is_said_so(refused):
    assert "--tournament" in refused("verify")
