"""Leagues: house bots mark the divisions, and beating one for sure promotes a bot."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from ladder.boards import Board
from ladder.models import Bot, Duel, Event, Notice, Promotion, Rating, User
from ladder.queries import bots as queries
from ladder.queries import leagues as questions
from ladder.ratings.outcome import Outcome
from ladder.services.events import dispatch
from ladder.services.rating import leagues
from ladder.services.rating.standing import standings
from tests.factories import DUEL, make_bot, make_user, make_version


@pytest.fixture
def house(db: None) -> dict[str, Bot]:
    owner = make_user("house")
    return {
        slug: make_bot(owner, name=f"House {slug.title()}", is_house=True, house_slug=slug)
        for slug in ("random", "greedy", "chef")
    }


def meet(bot: Bot, boss: Bot, score: float, times: int, board: Board = DUEL) -> None:
    """So many sets in which the bot won this share of the plays against a house bot."""
    won = 2 * score
    one = Outcome((bot.active_version_id, boss.active_version_id), ((0, won), (2 - won, 0)), 2)
    leagues.advance(board, standings(board), [one] * times)


def league(bot: Bot) -> object:
    shown = queries.find(bot.pk, None)
    return questions.of_bot(shown, DUEL, queries.ratings_now(shown).get(2))


def test_a_newcomer_sees_the_weakest_house_bot_as_its_next_rival(
    house: dict[str, Bot], miso: Bot
) -> None:
    told = league(miso)

    assert [boss.name for boss in questions.bosses(DUEL)] == [
        "House Random",
        "House Greedy",
        "House Chef",
    ]
    assert (told.beaten, told.next.boss.name, told.next.sets) == ([], "House Random", 0)
    page = Client().get(reverse("bot", args=[miso.pk]), {"seats": 2}).content.decode()
    assert "Next rival:" in page
    assert "House Random" in page


def test_a_bot_that_surely_beats_a_house_bot_is_promoted_once_with_badge_and_notice(
    house: dict[str, Bot], miso: Bot, alice: User
) -> None:
    meet(miso, house["greedy"], 1.0, 5)
    assert not Promotion.objects.exists()
    assert Duel.objects.get().llr > 0

    meet(miso, house["greedy"], 1.0, 60)
    meet(miso, house["greedy"], 1.0, 60)

    promotion = Promotion.objects.get()
    assert (promotion.bot, promotion.boss, promotion.board) == (miso, house["greedy"], DUEL)
    event = Event.objects.get(kind="bot.promoted")
    dispatch.dispatch_all()
    (notice,) = Notice.objects.filter(user=alice, kind="bot.promoted")
    assert notice.text == (
        "Miso beat House Greedy and moves up a division: Ramen! Ramen! · 2 players."
    )
    told = league(miso)
    # The house's random bot is weaker, so its division is passed, too.
    assert [boss.name for boss in told.beaten] == ["House Random", "House Greedy"]
    assert told.next.boss.name == "House Chef"
    page = Client().get(reverse("bot", args=[miso.pk]), {"seats": 2}).content.decode()
    assert "beat <bdi>House Greedy</bdi>" in page
    ladder = Client().get(reverse("board", args=["ramen_ramen", 2])).content.decode()
    assert 'class="badge promoted">beat <bdi>House Greedy</bdi></span>' in ladder
    assert event.owner == alice.pk


def test_equal_bots_are_not_promoted_and_an_answer_stands(house: dict[str, Bot], miso: Bot) -> None:
    meet(miso, house["random"], 0.5, 2000)

    duel = Duel.objects.get()
    assert duel.verdict in ("not better", "not proven")
    meet(miso, house["random"], 1.0, 500)
    assert not Promotion.objects.exists()
    assert league(miso).next.is_closed
    # A new version begins anew.
    make_version(miso)
    meet(miso, house["random"], 1.0, 60)
    assert Promotion.objects.get().boss == house["random"]


def test_the_ladder_is_divided_by_the_house_bots_of_its_board(house: dict[str, Bot]) -> None:
    marks = {boss.name: boss for boss in questions.bosses(DUEL)}
    between = (marks["House Greedy"].elo + marks["House Chef"].elo) / 2
    for name, elo in [
        ("Above All", marks["House Chef"].elo + 50),
        ("In The Middle", between),
        ("Below All", marks["House Random"].elo - 50),
        *((name, boss.elo) for name, boss in marks.items()),
    ]:
        bot = next((bot for bot in house.values() if bot.name == name), None) or make_bot(name=name)
        rating = Rating.objects.on(DUEL).filter(bot=bot)
        rating.update(milli=round(elo * 1000), is_provisional=False)

    page = Client().get(reverse("board", args=["ramen_ramen", 2])).content.decode()
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    seen = re.findall(
        r"Division \d(?: below House \w+)?|Above All|In The Middle|Below All|House \w+(?= house)",
        text,
    )
    assert seen == [
        *("Division 4", "Above All", "House Chef"),
        *("Division 3 below House Chef", "In The Middle", "House Greedy"),
        *("Division 2 below House Greedy", "House Random"),
        *("Division 1 below House Random", "Below All"),
    ]


def test_a_board_without_measured_house_bots_has_no_divisions(miso: Bot) -> None:
    Rating.objects.on(DUEL).update(is_provisional=False)
    page = Client().get(reverse("board", args=["ramen_ramen", 2])).content.decode()
    assert "Miso" in page and "Division" not in page


def test_few_lucky_sets_promote_nobody(house: dict[str, Bot], miso: Bot) -> None:
    meet(miso, house["random"], 1.0, 10)

    assert Duel.objects.get().verdict == "continue"
    assert not Promotion.objects.exists()
    assert not Notice.objects.filter(kind="bot.promoted").exists()
