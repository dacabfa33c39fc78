import pytest

from ladder.models import Rating, RatingChange
from tests.factories import make_bot
from tests.ladder.api.conftest import rate_some_ticks

LADDER = "boards/ramen_ramen/2/ladder/"


@pytest.fixture
def rated(kitchen):
    rate_some_ticks(kitchen.bot, kitchen.rival, ticks=3)
    return kitchen


@pytest.fixture
def established(rated):
    for _ in range(5):
        make_bot(rated.alice)
    Rating.objects.update(is_provisional=False)
    return rated


def test_a_ladder_ranks_by_rating_and_pages_without_gap(anyone, established):
    path, rows = f"/api/v1/{LADDER}?page_size=3", []

    while path:
        page = anyone.get(path).json()
        rows += page["results"]
        path = page["next"] and page["next"].removeprefix("http://testserver")

    shown = Rating.objects.filter(game="ramen_ramen", seats=2, is_listed=True)
    assert [row["rank"] for row in rows] == list(range(1, shown.count() + 1))
    assert [row["bot"]["id"] for row in rows] == list(
        shown.by_rank().values_list("bot_id", flat=True)
    )


def test_the_previous_page_leads_back(anyone, established):
    first = anyone.get(f"{LADDER}?page_size=3").json()
    second = anyone.get(first["next"].removeprefix("http://testserver")).json()

    back = anyone.get(second["previous"].removeprefix("http://testserver")).json()

    assert back["results"] == first["results"]
    assert back["previous"] is None


def test_a_ladder_is_searched_by_bot_and_author_and_keeps_its_ranks(anyone, established):
    ranks = {row["bot"]["name"]: row["rank"] for row in anyone.get(LADDER).json()["results"]}

    by_bot = anyone.get(f"{LADDER}?search=riv").json()["results"]
    by_author = anyone.get(f"{LADDER}?search=BOB&page_size=1").json()["results"]
    by_alice = anyone.get(f"{LADDER}?search=alice&page_size=2").json()
    following = anyone.get(by_alice["next"].removeprefix("http://testserver")).json()["results"]
    nobody = anyone.get(f"{LADDER}?search=nobody").json()["results"]

    assert [row["bot"]["name"] for row in by_bot] == ["Rival"]
    assert by_author == by_bot and nobody == []
    for row in [*by_bot, *by_alice["results"], *following]:
        assert row["rank"] == ranks[row["bot"]["name"]]
    assert len({row["rank"] for row in [*by_alice["results"], *following]}) == 4


def test_a_past_ladder_is_searched_too(anyone, rated):
    found = anyone.get(f"{LADDER}?tick=1&provisional=true&search=WOK").json()["results"]

    assert [row["bot"]["name"] for row in found] == ["Wok"]


@pytest.mark.parametrize("text", ["", "%00", "x" * 61])
def test_a_search_that_makes_no_sense_is_refused(anyone, rated, code, text):
    refused = anyone.get(f"{LADDER}?search={text}")

    assert (refused.status_code, code(refused)) == (400, "validation")


def test_a_bots_rating_tells_its_rank_on_the_ladder(anyone, established):
    ladder = anyone.get(LADDER).json()["results"]
    (rank,) = [row["rank"] for row in ladder if row["bot"]["id"] == established.bot.pk]

    ratings = anyone.get(f"bots/{established.bot.pk}/ratings/").json()

    on_board = {row["version"]: row["rank"] for row in ratings if row["seats"] == 2}
    assert on_board == {1: None, 2: rank}  # version 1 no longer plays


def test_a_ladder_as_of_a_tick_shows_the_ratings_after_it(anyone, rated):
    history = anyone.get(f"bots/{rated.bot.pk}/history/?seats=2").json()["results"]

    for change in history:
        past = anyone.get(f"{LADDER}?tick={change['tick']}&provisional=true").json()
        (row,) = [row for row in past["results"] if row["bot"]["id"] == rated.bot.pk]
        assert past["tick"] == change["tick"]
        if change["tick"] < 3:  # the newest shows the version that plays now
            assert (row["elo"], row["low"]) == (change["elo"], change["low"])

    assert len(history) == 3


def test_a_history_pages_without_gap_to_and_fro(anyone, rated):
    path = f"bots/{rated.bot.pk}/history/"
    whole = anyone.get(path).json()["results"]
    assert len(whole) == 3
    first = anyone.get(f"{path}?page_size=2").json()

    second = anyone.get(first["next"].removeprefix("http://testserver")).json()
    back = anyone.get(second["previous"].removeprefix("http://testserver")).json()

    assert first["results"] + second["results"] == whole
    assert (second["next"], back["results"], back["previous"]) == (None, first["results"], None)


@pytest.mark.parametrize("junk", ["seats=", "seats=99", "version=0", "version=x"])
def test_a_filter_of_the_history_that_makes_no_sense_is_refused(anyone, rated, code, junk):
    refused = anyone.get(f"bots/{rated.bot.pk}/history/?{junk}")

    assert (refused.status_code, code(refused)) == (400, "validation")


def test_history_and_past_ladders_tell_the_interval_as_it_was_known_then(anyone, rated):
    RatingChange.objects.filter(tick__number=1).update(low_milli=1_100_000, high_milli=1_900_000)
    RatingChange.objects.filter(tick__number__gte=2).update(
        low_milli=1_400_000, high_milli=1_600_500
    )

    history = anyone.get(f"bots/{rated.bot.pk}/history/?seats=2").json()["results"]
    told = {one["tick"]: (one["low"], one["high"]) for one in history}

    assert told == {1: (1100.0, 1900.0), 2: (1400.0, 1600.5), 3: (1400.0, 1600.5)}
    for tick, low in ((1, 1100.0), (2, 1400.0)):
        past = anyone.get(f"{LADDER}?tick={tick}&provisional=true").json()
        assert {row["low"] for row in past["results"]} == {low}


def test_a_tick_to_come_is_not_found_and_a_senseless_one_refused(anyone, rated, code):
    to_come = anyone.get(f"{LADDER}?tick=4")
    senseless = anyone.get(f"{LADDER}?tick=first")

    assert (to_come.status_code, code(to_come)) == (404, "not_found")
    assert (senseless.status_code, code(senseless)) == (400, "validation")


def test_boards_tell_how_many_are_ranked_and_where_they_stand(anyone, established):
    (board,) = [
        board
        for board in anyone.get("boards/").json()
        if (board["game"], board["seats"]) == ("ramen_ramen", 2)
    ]

    assert board["tick"] == 3
    assert (board["ranked"], board["provisional"]) == (8, 0)
    assert board == anyone.get("boards/ramen_ramen/2/").json()


def test_an_unchanged_ladder_is_not_sent_twice(anyone, rated):
    first = anyone.get(LADDER)

    again = anyone.get(LADDER, If_None_Match=first["ETag"])

    assert (again.status_code, again.content) == (304, b"")
