import csv
from datetime import timedelta

import pytest
from django.utils import timezone

from ladder.models import Match, Tournament
from tests.ladder.api.conftest import asker
from tests.local_play import play_and_finish


@pytest.fixture
def path(kitchen):
    return f"tournaments/{kitchen.tournament.pk}/"


@pytest.fixture
def bob(kitchen):
    return asker(kitchen.rival.owner)


def test_a_tournament_is_made_with_its_luck_committed_and_untold(alice):
    body = {"game": "ramen_ramen", "seats": 2, "name": "Cup", "format": "swiss", "sets": 2}

    made = alice.post("tournaments/", body)

    told = made.json()
    assert made.status_code == 201
    assert made["Location"] == f"/api/v1/tournaments/{told['id']}/"
    assert (told["status"], told["sets"], told["organiser"]) == ("enrolling", 2, "alice")
    assert len(told["commitment"]) == 64 and told["secret"] is None


def test_a_started_tournament_draws_tables_and_tells_its_secret_at_the_end(alice, anyone, path):
    started = alice.post(f"{path}start/").json()
    paused = alice.post(f"{path}pause/", {"why": "lunch"}).json()
    resumed = alice.post(f"{path}resume/").json()
    running = anyone.get(f"{path}record/").json()
    cancelled = alice.post(f"{path}cancel/").json()

    assert [one["status"] for one in (started, paused, resumed, cancelled)] == [
        "running",
        "paused",
        "running",
        "cancelled",
    ]
    assert paused["note"] == "lunch"
    assert {one["seed"] for one in started["entrants"]} == {1, 2}
    assert len(running["tables"]) == 1 and running["secret"] is None
    assert cancelled["secret"]


def test_a_place_is_taken_given_seeded_and_left(alice, bob, anyone, kitchen, path):
    rival = f"{path}entrants/{kitchen.rival.pk}/"

    seeded = alice.post(f"{rival}seed/", {"seed": 1}).json()
    left = bob.post(f"{rival}withdraw/").json()
    invited = alice.post(f"{path}invitations/", {"bot": kitchen.rival.pk}).json()
    taken = bob.post(f"{path}entrants/", {"bot": kitchen.rival.pk}).json()
    replaced = alice.post(
        f"{path}entrants/{kitchen.bot.pk}/replace/", {"bot": kitchen.spare.pk}
    ).json()

    assert seeded["seed"] == 1
    assert [one["status"] for one in (left, invited, taken)] == ["withdrawn", "invited", "enrolled"]
    assert replaced["name"] == "Spare"
    assert {one["name"] for one in anyone.get(f"{path}entrants/").json()} == {"Rival", "Spare"}


def test_an_entrant_checks_in_before_the_start(alice, bob, kitchen, path):
    rival = f"{path}entrants/{kitchen.rival.pk}/"
    soon = (timezone.now() + timedelta(minutes=10)).isoformat()

    early = bob.post(f"{rival}check-in/").json()
    asked = alice("PATCH", path, {"start_at": soon, "check_in_minutes": 30}).json()
    checked_in = bob.post(f"{rival}check-in/").json()

    assert early["code"] == "check_in_closed"
    assert asked["check_in_minutes"] == 30
    assert (checked_in["name"], checked_in["has_checked_in"]) == ("Rival", True)


@pytest.mark.parametrize(
    ("act", "body", "status", "word"),
    [
        ("entrants/", {"bot": 999_999}, 404, "unknown_bot"),
        ("entrants/", {"bot": "wok"}, 409, "already_enrolled"),
        ("pause/", {}, 409, None),
        ("entrants/", {}, 400, "validation"),
    ],
)
def test_what_cannot_be_done_has_a_code(alice, kitchen, code, path, act, body, status, word):
    if body.get("bot") == "wok":
        body = {"bot": kitchen.bot.pk}

    refused = alice.post(f"{path}{act}", body)

    assert refused.status_code == status
    assert word in (None, code(refused))


def test_a_private_tournament_and_its_matches_do_not_exist_for_strangers(
    alice, bob, charlie, anyone, kitchen, path
):
    alice("PATCH", path, {"is_public": False})
    alice.post(f"{path}start/")
    match = Match.objects.filter(pairing__tournament=kitchen.tournament).first()
    places = [path, f"{path}record/", f"{path}results/", f"{path}entrants/", f"matches/{match.pk}/"]

    for place in places:
        assert [who.get(place).status_code for who in (alice, bob)] == [200, 200], place
        for who in (charlie, anyone):
            assert who.get(place).status_code == 404, place
    zipped = f"matches/{match.pk}/replays/"
    assert play_and_finish(match)
    answers = [who.get(zipped) for who in (alice, bob, charlie, anyone)]
    assert [answer.status_code for answer in answers] == [200, 200, 404, 404]
    assert answers[0]["Cache-Control"].startswith("private")
    listed = charlie.get("matches/?kind=tournament").json()["results"]
    assert listed == []
    assert charlie.get("tournaments/").json()["results"] == []
    assert charlie.post(f"{path}cancel/").status_code == 404


def test_results_are_the_standings_as_a_table(alice, anyone, path):
    alice.post(f"{path}start/")

    answer = anyone.get(f"{path}results/")

    head, *rows = csv.reader(answer.content.decode().splitlines())
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert head[:5] == ["place", "seed", "bot", "owner", "version"]
    assert {row[2] for row in rows} == {"Wok", "Rival"}
    assert anyone.get(f"{path}results/", If_None_Match=answer["ETag"]).status_code == 304


SETUP = {"game": "ramen_ramen", "seats": 2, "format": "round_robin", "max_entrants": 8}


def test_a_preview_tells_what_a_tournament_would_be_and_makes_none(anyone, db):
    answer = anyone.post("tournaments/preview/", SETUP | {"sets": 2})

    told = answer.json()
    assert answer.status_code == 200
    assert (told["entrants"], told["rounds"], told["matches"]) == (8, 7, 28)
    assert (told["sets"], told["plays"]) == (56, 112)
    assert told["duration_s"] > 0 and not told["is_measured"]
    assert not Tournament.objects.exists()


def test_a_preview_rests_on_the_matches_of_its_board(anyone, kitchen):
    assert anyone.post("tournaments/preview/", SETUP).json()["is_measured"]


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"format": "pods"}, "format_does_not_fit"),
        ({"seats": 6}, "unknown_board"),
        ({"format_options": {"cycles": 99}}, "bad_options"),
        ({"format_options": {"odd": 1}}, "bad_options"),
        ({"entry": "top"}, "bad_top_count"),
        ({"entry": "top", "top_count": 9}, "bad_top_count"),
        ({"sets": 9, "max_entrants": 128}, "too_long"),
        ({"max_entrants": 1}, "validation"),
        ({"sets": 10}, "validation"),
        ({"name": "Cup"}, "validation"),
    ],
)
def test_a_preview_refuses_what_cannot_be_made(alice, code, change, word):
    previewed = alice.post("tournaments/preview/", SETUP | change)
    made = alice.post("tournaments/", {"name": "Cup"} | SETUP | change)

    assert (previewed.status_code, code(previewed)) == (400, word)
    if "name" not in change:
        assert (made.status_code, code(made)) == (400, word)


def test_tournaments_of_a_bot_are_those_one_may_see(alice, charlie, kitchen, path):
    query = f"tournaments/?bot={kitchen.bot.pk}"
    seen = [one["name"] for one in charlie.get(query).json()["results"]]
    alice("PATCH", path, {"is_public": False})

    assert seen == ["Spring Soup"]
    assert charlie.get(query).json()["results"] == []
    assert len(alice.get(query).json()["results"]) == 1
    assert charlie.get(f"tournaments/?bot={kitchen.spare.pk}").json()["results"] == []


def test_formats_are_those_that_fit_the_board(anyone, db):
    duel = {one["name"] for one in anyone.get("boards/ramen_ramen/2/formats/").json()}
    many = {one["name"] for one in anyone.get("boards/hot_ramen/5/formats/").json()}

    assert "single_elimination" in duel and "pods" not in duel
    assert "pods" in many
