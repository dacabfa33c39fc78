from base64 import b64decode
from datetime import timedelta

import pytest
from django.core.cache import cache

from engine.games import GAMES
from ladder.models import Bot, Entry, Match, Trial, User, Version
from tests.factories import make_bot, make_match, make_version
from tests.sandbox.archives import HOSTILE
from tests.sandbox.wat import bot as module

SOURCE = "def decide(view):\n    return view['legal'][0]\n"


def test_a_bot_is_made_renamed_retired_and_brought_back(alice, kitchen, settings, code):
    made = alice.post("bots/", {"game": "hot_ramen", "name": "Soup", "seat_counts": [2, 3]})
    path = made["Location"]

    renamed = alice("PATCH", path, {"name": "Broth", "is_source_public": True}).json()
    retired = alice.post(f"{path}retire/").json()
    too_soon = alice.post(f"{path}bring-back/")
    settings.RETIRED_REST = timedelta(0)
    back = alice.post(f"{path}bring-back/").json()

    assert made.status_code == 201
    assert made.json()["seat_counts"] == [2, 3]
    assert (renamed["name"], renamed["is_source_public"]) == ("Broth", True)
    assert (retired["status"], back["status"]) == ("retired", "active")
    assert (too_soon.status_code, code(too_soon)) == (409, "too_soon")


def test_a_taken_name_is_a_409_and_a_bad_one_names_its_field(alice, code):
    taken = alice.post("bots/", {"game": "ramen_ramen", "name": "wok"})
    bad = alice.post("bots/", {"game": "ramen_ramen", "name": "-"})

    assert (taken.status_code, code(taken)) == (409, "name_taken")
    assert (bad.status_code, code(bad)) == (400, "validation")
    assert bad.json()["errors"][0]["field"] == "name"


def test_a_script_is_uploaded_as_json_and_as_a_form_and_is_known_again(alice, kitchen):
    path = f"bots/{kitchen.bot.pk}/versions/"

    first = alice.post(path, {"filename": "wok.py", "source": SOURCE, "note": "first legal"})
    again = alice.post(path, {"filename": "wok.py", "source": SOURCE})
    form = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="other.py"\r\n\r\n'
        b"# other\r\n--x--\r\n"
    )
    by_form = alice.post(path, form, Content_Type="multipart/form-data; boundary=x")

    assert (first.status_code, first.json()["status"]) == (201, "checking")
    assert first.json()["note"] == "first legal"
    assert (again.status_code, again.json()["number"]) == (200, first.json()["number"])
    assert (by_form.status_code, by_form.json()["number"]) == (201, first.json()["number"] + 1)
    assert Match.all_objects.filter(kind=Match.Kind.CHECK).count() == 2


def test_no_hostile_archive_is_taken(alice, kitchen):
    path = f"bots/{kitchen.bot.pk}/versions/"
    before = kitchen.bot.versions.count()

    for name, content in HOSTILE.items():
        form = (
            b'--x-y-z\r\nContent-Disposition: form-data; name="file"; filename="soup.zip"\r\n\r\n'
            b"%b\r\n--x-y-z--\r\n" % content
        )
        answer = alice.post(path, form, Content_Type="multipart/form-data; boundary=x-y-z")
        assert answer.status_code in (400, 413), name
        assert answer.json()["code"] in ("bad_file", "too_large", "validation"), name

    assert kitchen.bot.versions.count() == before


def test_a_module_comes_back_in_base64_as_it_was_sent(alice, kitchen):
    path = f"bots/{kitchen.bot.pk}/versions/"
    content = module().content
    form = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="other.wasm"\r\n\r\n%b'
        b"\r\n--x--\r\n" % content
    )

    sent = alice.post(path, form, Content_Type="multipart/form-data; boundary=x").json()
    kept = alice.get(f"{path}{sent['number']}/source/").json()

    assert (sent["language"], sent["size"]) == ("wasm", len(content))
    assert (kept["filename"], kept["encoding"]) == ("bot.wasm", "base64")
    assert b64decode(kept["source"]) == content


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"filename": "wok.rb", "source": SOURCE}, 400, "validation"),
        ({"filename": "wok.py", "source": ""}, 400, "validation"),
        ({"filename": "wok.py", "source": " "}, 400, "bad_file"),
        ({"filename": "wok.py", "source": "é" * 200_000}, 413, "too_large"),
        ({"filename": "wok.py", "source": "x" * (2**21)}, 413, "too_large"),
        ({"filename": "wok.py", "source": "\ud800"}, 400, "validation"),
        ([], 400, "validation"),
    ],
)
def test_an_upload_that_cannot_be_taken_says_why(alice, kitchen, code, body, status, word):
    refused = alice.post(f"bots/{kitchen.bot.pk}/versions/", body)

    assert (refused.status_code, code(refused)) == (status, word)


def test_only_an_accepted_version_can_be_activated(alice, kitchen, code):
    rejected = make_version(kitchen.bot, status=Version.Status.REJECTED)
    path = f"bots/{kitchen.bot.pk}/versions/"

    refused = alice.post(f"{path}{rejected.number}/activate/")
    taken = alice.post(f"{path}1/activate/")

    assert (refused.status_code, code(refused)) == (409, "version_not_accepted")
    assert taken.json()["is_active"] is True
    assert alice.get(f"bots/{kitchen.bot.pk}/").json()["active_version"] == 1


def test_private_source_report_and_logs_look_like_nothing_to_a_stranger(charlie, anyone, kitchen):
    private = [
        f"bots/{kitchen.bot.pk}/versions/1/source/",
        f"bots/{kitchen.bot.pk}/versions/1/report/",
        f"matches/{kitchen.match.pk}/logs/",
    ]

    for path in private:
        unknown = charlie.get(
            path.replace(f"{kitchen.bot.pk}/v", "999999/v").replace(
                f"matches/{kitchen.match.pk}", "matches/999999"
            )
        )
        for who in (charlie, anyone):
            refused = who.get(path)
            assert refused.status_code == unknown.status_code == 404
            own = str(kitchen.bot.pk if "bots/" in path else kitchen.match.pk)
            assert refused.content == unknown.content.replace(b"999999", own.encode())


def test_source_is_for_all_once_its_author_publishes_it(alice, anyone, kitchen):
    path = f"bots/{kitchen.bot.pk}/"

    alice("PATCH", path, {"is_source_public": True})

    assert "decide" in anyone.get(f"{path}versions/1/source/").json()["source"]


def test_an_author_reads_the_log_of_their_own_entry_only(alice, kitchen):
    (log,) = alice.get(f"matches/{kitchen.match.pk}/logs/").json()

    assert (log["slot"], log["log"].splitlines()[1]) == (0, "alice's secret plan")


def test_bots_are_filtered_searched_and_sorted(anyone, alice, kitchen):
    make_bot(kitchen.alice, game="hot_ramen", name="Aubergine")

    def names(query, who=anyone):
        return [row["name"] for row in who.get(f"bots/?{query}").json()["results"]]

    assert names("ordering=name") == ["Aubergine", "Rival", "Spare", "Wok"]
    assert names("game=hot_ramen") == ["Aubergine"]
    assert names("owner=ALICE&ordering=id") == ["Wok", "Spare", "Aubergine"]
    assert names("search=iva") == ["Rival"]
    assert names("mine=false", alice) == ["Rival"]


@pytest.mark.parametrize(
    "query", ["game=chess", "game=", "mine=maybe", "ordering=owner", "page_size=0", "cursor=x"]
)
def test_a_filter_that_makes_no_sense_is_refused(anyone, kitchen, code, query):
    refused = anyone.get(f"bots/?{query}")

    assert (refused.status_code, code(refused)) == (400, "validation")


def test_pages_follow_each_other_without_gap_or_repeat(anyone, kitchen):
    for _ in range(5):
        make_bot(kitchen.alice)
    path, seen = "/api/v1/bots/?page_size=3", []

    while path:
        page = anyone.get(path).json()
        seen += [row["id"] for row in page["results"]]
        path = page["next"] and page["next"].removeprefix("http://testserver")

    assert seen == list(Bot.objects.order_by("-id").values_list("pk", flat=True))


def test_head_to_head_counts_sets_from_the_first_bots_side(anyone, kitchen):
    one, two = kitchen.bot.pk, kitchen.rival.pk

    ours = anyone.get(f"bots/{one}/versus/{two}/").json()["boards"][0]
    theirs = anyone.get(f"bots/{two}/versus/{one}/").json()["boards"][0]

    assert ours["won"] + ours["drawn"] + ours["lost"] == 1
    assert (ours["won"], ours["lost"]) == (theirs["lost"], theirs["won"])
    assert anyone.get(f"bots/{one}/versus/{one}/").status_code == 404


def test_figures_tell_opponents_seats_and_what_was_used(anyone, kitchen):
    told = anyone.get(f"bots/{kitchen.bot.pk}/figures/2/").json()

    (opponent,) = told["opponents"]
    assert (told["game"], told["seats"], told["matches"]) == ("ramen_ramen", 2, 1)
    assert (opponent["bot"], opponent["name"], opponent["sets"]) == (kitchen.rival.pk, "Rival", 1)
    assert 0 <= opponent["low"] <= opponent["share"] <= opponent["high"] <= 1
    assert [row["seat"] for row in told["by_seat"]] == [0, 1]
    assert told["faults"] == [] and told["cpu_us"] > 0


def test_figures_are_of_the_boards_a_bot_plays_on(anyone, kitchen):
    Bot.objects.filter(pk=kitchen.bot.pk).update(seat_counts=[2, 3])

    unplayed = anyone.get(f"bots/{kitchen.bot.pk}/figures/3/").json()
    none = anyone.get(f"bots/{kitchen.bot.pk}/figures/4/")

    assert (unplayed["matches"], unplayed["opponents"], unplayed["cpu_us"]) == (0, [], None)
    assert none.status_code == 404


def test_a_game_tells_what_its_plays_show(anyone, kitchen):
    cache.clear()

    (duel,) = anyone.get("games/ramen_ramen/statistics/").json()

    assert (duel["seats"], duel["plays"]) == (2, kitchen.match.plays.count())
    assert abs(sum(row["share"] for row in duel["by_seat"]) - 1) < 1e-3
    assert duel["decisions"] > 0 and duel["mean_points"] is None


@pytest.mark.parametrize("slug", GAMES)
def test_a_games_starter_can_be_uploaded_as_it_is(anyone, charlie, slug):
    starter = anyone.get(f"games/{slug}/starter/").json()
    bot = charlie.post("bots/", {"game": slug, "name": "Starter"}).json()

    uploaded = charlie.post(f"bots/{bot['id']}/versions/", starter)

    assert uploaded.status_code == 201


def test_authors_are_found_and_nothing_private_is_told_of_them(anyone, kitchen):
    found = anyone.get("users/?search=LIC").json()["results"]
    alice = anyone.get("users/Alice/").json()

    assert found == [alice]
    assert set(alice) == {"username", "bots", "date_joined", "page", "profile"}
    assert (alice["username"], alice["bots"]) == ("alice", 2)


@pytest.mark.parametrize("name", ["nobody", "%00", "a%00", "x" * 200])
def test_an_author_who_is_not_there_is_not_found(anyone, kitchen, name):
    assert anyone.get(f"users/{name}/").status_code == 404


def test_an_account_that_is_closed_is_not_found(anyone, kitchen):
    User.objects.filter(username="bob").update(is_active=False)

    assert anyone.get("users/bob/").status_code == 404
    assert [one["username"] for one in anyone.get("users/").json()["results"]] == ["alice"]


def test_matches_of_two_bots_are_those_where_both_sat(anyone, kitchen):
    make_match(kitchen.bot, make_bot())

    both = anyone.get(f"matches/?bot={kitchen.bot.pk}&other={kitchen.rival.pk}").json()["results"]

    assert [match["id"] for match in both] == [kitchen.match.pk]


def test_a_trial_tells_the_interval_of_the_difference(anyone, kitchen):
    path = f"trials/{kitchen.trial.pk}/"
    fresh = anyone.get(path).json()
    Trial.objects.update(counts=[3, 5, 20, 9, 6])

    played = anyone.get(path).json()

    assert (fresh["elo_low"], fresh["elo_high"]) == (None, None)
    assert played["elo_low"] < played["elo"] < played["elo_high"]


def test_a_listed_match_has_the_shape_that_a_match_has_elsewhere(kitchen, anyone):
    Entry.objects.filter(match=kitchen.match, slot=0).update(rating_milli=1512345)

    listed = anyone.get("matches/?page_size=200").json()["results"]

    (found,) = [row for row in listed if row["id"] == kitchen.match.pk]
    receipt = anyone.get(f"matches/{kitchen.match.pk}/").json()
    assert found["entries"][0]["rating"] == 1512.345
    assert found == {name: receipt[name] for name in found}


def test_the_gates_matches_are_not_listed(alice, kitchen):
    check = make_match(kitchen.bot, kind=Match.Kind.CHECK)

    listed = alice.get("matches/?page_size=200").json()["results"]

    assert check.pk not in [row["id"] for row in listed]
    assert alice.get(f"matches/{check.pk}/").status_code == 404
