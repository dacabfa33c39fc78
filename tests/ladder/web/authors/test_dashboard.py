"""My bots: where each stands on its boards, how it did lately, and whom to beat next."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.test import Client

from ladder.models import Bot, Match, Rating
from tests.factories import make_bot, make_match, make_user
from tests.local_play import play_and_finish


def rated(bot: Bot, seats: int, milli: int, sets: int) -> None:
    Rating.objects.update_or_create(
        game=bot.game,
        seats=seats,
        bot=bot,
        version=bot.active_version,
        defaults={
            "milli": milli,
            "low_milli": milli - 40_000,
            "high_milli": milli + 40_000,
            "variance": 400,
            "sets": sets,
            "is_provisional": False,
            "is_listed": True,
        },
    )


@pytest.mark.django_db
def test_a_dashboard_names_rank_results_and_the_next_rival() -> None:
    cache.clear()
    owner = make_user()
    mine, rival = make_bot(owner, name="Mine"), make_bot(name="The Rival")
    rated(mine, 2, 1_500_000, sets=4)
    rated(mine, 3, 1_400_000, sets=9)
    rated(rival, 2, 1_700_000, sets=4)
    rated(rival, 3, 1_600_000, sets=4)
    match = make_match(mine, rival, kind=Match.Kind.LADDER)
    play_and_finish(match)
    client = Client()
    client.force_login(owner)

    page = client.get("/my-bots/").content.decode()

    assert page.index("3 players") < page.index("2 players")  # its main board first
    assert page.count("rank 2") == 2
    assert "Next rival" in page and "The Rival" in page and "(1600)" in page
    assert f"own={mine.pk}&amp;opponents=The%20Rival" in page
    shown = client.get(f"/bots/{mine.pk}/").content.decode()
    assert '?seats=3"\n  aria-current="page"' in shown  # a bot's page opens on its main board


@pytest.mark.django_db
def test_the_best_bot_of_a_board_has_no_rival() -> None:
    cache.clear()
    owner = make_user()
    rated(make_bot(owner), 2, 1_900_000, sets=4)
    client = Client()
    client.force_login(owner)

    page = client.get("/my-bots/").content.decode()

    assert "rank 1" in page
    assert "Next rival" not in page
