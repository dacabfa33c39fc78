"""A forged record is found out, and the sentence says where."""

from __future__ import annotations

import json

import pytest

from ladder.services import tournaments
from ladder.tournaments.record import BadRecord, verify
from ladder.tournaments.seeds import commitment
from tests.ladder.tournaments.events import enter, make_tournament, play_out, started

pytestmark = pytest.mark.django_db


def record_of(**fields):
    tournament = make_tournament(**fields)
    enter(tournament, 4)
    record = tournaments.as_record(play_out(started(tournament)))
    return json.loads(json.dumps(record))


@pytest.fixture
def swiss():
    return record_of(format="swiss", seeding="random")


def forge_secret(record):
    record["secret"] = "f" * 64


def forge_secret_and_commitment(record):
    record["secret"] = "f" * 64
    record["commitment"] = commitment("f" * 64)
    record["seeding"] = "manual"


def forge_seed(record):
    record["tables"][0]["sets"][0]["seed"] += 1


def forge_pairing(record):
    a, b = record["tables"][-2:]
    for key in ("drawn", "entrants"):
        a[key][0], b[key][0] = b[key][0], a[key][0]


def forge_result(record):
    (one,) = record["tables"][-1]["sets"]
    first_was_better = sum(row[0] for row in one["places"]) < sum(row[1] for row in one["places"])
    one["places"] = [[2, 1] if first_was_better else [1, 2] for _ in one["places"]]


def forge_extra_set(record):
    sets = record["tables"][0]["sets"]
    sets.append({**sets[0], "number": 2})
    record["secret"] = None
    record["status"] = "running"
    record["champion"] = None


def forge_place(record):
    record["standings"][0]["seed"], record["standings"][1]["seed"] = (
        record["standings"][1]["seed"],
        record["standings"][0]["seed"],
    )


def forge_champion(record):
    record["champion"] = record["standings"][-1]["seed"]


def forge_seeding(record):
    for key in ("bot", "bot_id"):
        first, second = record["entrants"][:2]
        first[key], second[key] = second[key], first[key]


def forge_missing_table(record):
    record["tables"].pop()


def forge_early_end(record):
    record["tables"] = [one for one in record["tables"] if one["round"] == 1]
    record["steps"] = 1


def forge_hidden_secret(record):
    record["secret"] = None


def forge_walkover(record):
    record["tables"][0]["outcome"] = "called off"
    record["tables"][0]["sets"] = []


FORGERIES = {
    forge_secret: "not the one that was committed to",
    forge_secret_and_commitment: "does not follow from the secret",
    forge_seed: "the seed of set 1 does not follow",
    forge_pairing: "was due",
    forge_result: "does not follow from the results",
    forge_extra_set: "2 sets were played, not 1",
    forge_place: "does not follow from the results",
    forge_champion: "the champion is seed",
    forge_seeding: "should be seed 1",
    forge_missing_table: "was due at step",
    forge_early_end: "never drawn|follow|due",
    forge_hidden_secret: "its secret is not published",
    forge_walkover: "without reason",
}


def test_a_true_record_holds(swiss):
    assert verify(swiss).startswith("4 entrants, 4 tables")


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_a_forged_record_is_refused(swiss, forge):
    forge(swiss)

    with pytest.raises(BadRecord, match=FORGERIES[forge]):
        verify(swiss)


def test_a_knockout_that_stopped_before_it_was_decided_is_refused():
    record = record_of(format="single_elimination")
    final = record["tables"][-1]
    final["sets"] = [{**final["sets"][0], "places": [[1, 2], [2, 1]]}]

    with pytest.raises(BadRecord, match="Final: one more set was due"):
        verify(record)


@pytest.mark.parametrize(
    "record",
    [{}, [], 3, None, {"format": "ladle-replay/1"}, {"format": "ladle-tournament/1"}],
    ids=str,
)
def test_anything_else_is_refused_with_a_sentence(record):
    with pytest.raises(BadRecord):
        verify(record)


def test_a_record_with_any_part_missing_is_refused_with_a_sentence(swiss):
    needed = set(swiss) - {"id", "name", "organiser", "game", "seats", "started_at", "ended_at"}

    for key in needed:
        with pytest.raises(BadRecord):
            verify({name: value for name, value in swiss.items() if name != key})
