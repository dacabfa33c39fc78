"""A list costs the same number of queries however long it is."""

import pytest
from django.core.cache import cache

from ladder.models import Rating
from tests.factories import make_bot, make_match, make_version
from tests.ladder.api.conftest import rate_some_ticks

BOARD = "boards/ramen_ramen/2/"

# For anyone; a token adds one query.
COUNTS = {
    "games/": 0,
    "boards/": 2,
    f"{BOARD}ladder/": 2,
    f"{BOARD}ladder/?page_size=2&cursor=after.9000000.1": 3,
    f"{BOARD}ladder/?tick=1&provisional=true": 3,
    f"{BOARD}ticks/": 1,
    f"{BOARD}formats/": 0,
    "bots/": 1,
    "bots/?game=ramen_ramen&search=o": 1,
    "bots/{bot}/versions/": 2,
    "bots/{bot}/ratings/": 2,
    "bots/{bot}/figures/2/": 4,
    "bots/{bot}/history/": 4,  # the bot, its ratings, the places of a page, its rows
    "bots/{bot}/versus/{rival}/": 4,
    "matches/": 2,
    "matches/?bot={bot}&kind=challenge": 2,
    "matches/{match}/": 3,
    "matches/{match}/plays/": 2,
    "matches/{match}/plays/0/": 1,
    "matches/{match}/plays/0/replay/": 1,
    "matches/{match}/plays/0/position/?step=3": 1,
    "matches/{match}/replays/": 2,
    "trials/": 1,
    "users/": 1,
    f"{BOARD}ladder/?search=o": 2,
    "matches/?bot={bot}&other={rival}": 2,
    "tournaments/?bot={bot}": 1,
    "tournaments/": 1,
    "tournaments/{tournament}/": 2,
    "tournaments/{tournament}/entrants/": 2,
}


@pytest.fixture
def crowded(kitchen):
    rate_some_ticks(kitchen.bot, kitchen.rival)
    for _ in range(3):
        make_version(make_bot(kitchen.alice))
        make_match(kitchen.bot, kitchen.rival)
    Rating.objects.filter(bot=kitchen.bot).update(is_provisional=False)
    return kitchen


@pytest.mark.parametrize("path", COUNTS)
def test_a_list_costs_its_fixed_number_of_queries(path, crowded, anyone, django_assert_num_queries):
    named = path.format(
        bot=crowded.bot.pk,
        rival=crowded.rival.pk,
        match=crowded.match.pk,
        tournament=crowded.tournament.pk,
    )

    with django_assert_num_queries(COUNTS[path]):
        answer = anyone.get(named)

    assert answer.status_code == 200


def test_ones_tokens_cost_one_query_besides_who_one_is(kitchen, client, django_assert_num_queries):
    client.force_login(kitchen.alice)

    with django_assert_num_queries(3):  # the session, its user, the tokens
        assert client.get("/api/v1/tokens/").status_code == 200


def test_a_preview_costs_two_queries(crowded, anyone, django_assert_num_queries):
    setup = {"game": "ramen_ramen", "seats": 2, "format": "swiss", "max_entrants": 128}

    with django_assert_num_queries(2):
        assert anyone.post("tournaments/preview/", setup).status_code == 200


def test_what_counts_whole_tables_is_not_counted_for_every_request(
    crowded, anyone, django_assert_num_queries
):
    cache.clear()
    first = anyone.get("/api/v1/stats/").json()
    make_match(crowded.bot, crowded.rival)

    with django_assert_num_queries(0):
        again = anyone.get("/api/v1/stats/").json()
    cache.clear()
    later = anyone.get("/api/v1/stats/").json()

    assert again == first
    assert later["matches"]["queued"] == first["matches"]["queued"] + 1
