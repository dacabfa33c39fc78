"""Who beats whom: beyond chance, in circles, in whose company."""

from __future__ import annotations

from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Bot, Entry, Match, Rating
from ladder.queries.analyses import matchups
from ladder.ratings.matchups import cycles, sign_test, significant
from tests.factories import DUEL, make_bot

THREE = Board("ramen_ramen", 3)


def test_chance_is_seldom_called_real_and_a_clear_record_is() -> None:
    rng = Random(1)
    wrong = 0
    for _ in range(200):
        records = {n: sum(rng.random() < 0.5 for _ in range(40)) for n in range(120)}
        chances = {n: sign_test(won, 40 - won) for n, won in records.items()}
        wrong += bool(significant(chances))

    assert wrong <= 20  # of 200 boards without any difference, about one in twenty
    assert significant({"clear": sign_test(39, 1), "even": sign_test(20, 20)}) == {"clear"}


def test_circles_are_found_once() -> None:
    assert cycles([(0, 1), (1, 2), (2, 0), (0, 3), (1, 3)]) == [(0, 1, 2)]
    assert cycles([(0, 1), (1, 2), (0, 2)]) == []


def ranked(board: Board, names: list[str]) -> list[Bot]:
    bots = [make_bot(name=name, seat_counts=[board.seats]) for name in names]
    for place, bot in enumerate(bots):
        Rating.objects.filter(bot=bot).update(
            milli=2_000_000 - 1000 * place, is_provisional=False, is_listed=True
        )
        if not Rating.objects.filter(bot=bot).exists():
            Rating.objects.create(
                game=board.game,
                seats=board.seats,
                bot=bot,
                version=bot.active_version,
                milli=2_000_000 - 1000 * place,
                low_milli=0,
                high_milli=0,
                variance=1,
                is_provisional=False,
            )
    return bots


def finish(board: Board, order: list[Bot]) -> None:
    """A ladder match in which these bots finished in this order."""
    match = Match.objects.create(
        kind="ladder",
        game=board.game,
        seats=board.seats,
        seed=1,
        priority=3,
        status="finished",
        finished_at=timezone.now(),
    )
    last = len(order) - 1
    for slot, bot in enumerate(order):
        Entry.objects.create(
            match=match,
            slot=slot,
            bot=bot,
            version=bot.active_version,
            place=slot + 1,
            points=last - slot,
            score=(last - slot) / last,
        )


@pytest.mark.django_db
def test_the_page_and_the_api_show_who_beats_whom_and_that_the_order_is_a_circle() -> None:
    rock, paper, scissors = ranked(DUEL, ["Rock", "Paper", "Scissors"])
    for _ in range(20):
        finish(DUEL, [paper, rock])
        finish(DUEL, [scissors, paper])
        finish(DUEL, [rock, scissors])

    told = Client().get("/api/v1/boards/ramen_ramen/2/matchups/").json()
    page = Client().get("/boards/ramen_ramen/2/matchups/").content.decode()

    assert [row["name"] for row in told["rows"]] == ["Rock", "Paper", "Scissors"]
    cell = told["rows"][0]["against"][2]
    assert (cell["sets"], cell["share"], cell["is_significant"]) == (20, 1.0, True)
    assert told["rows"][0]["against"][0] is None
    assert told["cycles"] == [["Rock", "Scissors", "Paper"]]
    assert ["Paper", "Rock"] in told["upsets"]
    assert "The order is not transitive." in page
    assert 'aria-label="Company"' not in page
    assert Client().get("/boards/ramen_ramen/1/matchups/").status_code == 404


@pytest.mark.django_db
def test_at_three_seats_it_says_in_whose_company_a_bot_does_better() -> None:
    one, friend, foe, other = ranked(THREE, ["One", "Friend", "Foe", "Other"])
    for turn in range(30):
        finish(THREE, [one, friend, other] if turn % 6 else [friend, one, other])
        finish(THREE, [foe, other, one] if turn % 6 else [foe, one, other])

    found = matchups.of_board(THREE)

    company = found.rows[0].company
    assert company[1].difference > 0.5 and company[1].is_significant
    assert company[2].difference < -0.5 and company[2].is_significant
    assert company[3] is None  # never at a table without it
    page = Client().get("/boards/ramen_ramen/3/matchups/").content.decode()
    assert 'aria-label="Company"' in page
