"""Ratings of the open class beside the truth: drawn by the product, and fitted by its fit."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from django.utils import timezone

from ladder.boards import Board
from ladder.models import Bot, Entry, Match, OpenRating, Play
from ladder.services.rating.ratings import anchor_of
from ladder.services.remote import open_class, seats
from tests.factories import make_bot, make_user
from tests.ladder.remote.test_limits import connected

pytestmark = pytest.mark.django_db
BOARDS = [Board("ramen_ramen", 2), Board("hot_ramen", 4)]
BOTS, PLAYS = 6, 160
SPREAD_ELO = 150.0
LONG = 10  # seeds of the long form


def simulated(board: Board, seed: int, settings: Any) -> list[tuple[Bot, float, OpenRating]]:
    """Bots of known strength, and what the open class makes of their plays."""
    for name in ("MAX_REMOTE_PER_PAIR", "MAX_OPEN_CLASS_PER_DAY", "MAX_REMOTE_PER_OWNER"):
        setattr(settings, name, 10_000)
    luck = random.Random(seed)
    open_class.random.seed(seed)
    house = make_bot(is_house=True, house_slug="greedy", name="House Greedy", game=board.game)
    anchor = anchor_of(board, house)
    assert anchor is not None
    truth = {house.pk: anchor.value}
    for number in range(BOTS):
        bot = connected(make_user(), f"Far {number}", game=board.game, seat_counts=[board.seats])
        truth[bot.pk] = anchor.value + luck.gauss(0, SPREAD_ELO)
    played = 0
    while played < PLAYS:
        seats.heartbeat("here")
        assert open_class.fill()
        for match in Match.all_objects.filter(status=Match.Status.QUEUED):
            settle(match, truth, luck)
            played += 1
        if played % 20 < BOTS:  # ratings steer who meets whom, as they do on a site
            open_class.rate(board)
    open_class.rate(board)
    rows = {row.bot_id: row for row in OpenRating.objects.select_related("bot")}
    return [(rows[pk].bot, truth[pk], rows[pk]) for pk in truth if pk != house.pk]


def settle(match: Match, truth: dict[int, float], luck: random.Random) -> None:
    """Places by strength and luck: of any two, one is ahead as often as their Elo says."""
    bots = list(Entry.objects.filter(match=match).order_by("slot").values_list("bot", flat=True))
    scores = [truth[bot] * math.log(10) / 400 - math.log(-math.log(luck.random())) for bot in bots]
    places = [1 + sum(other > own for other in scores) for own in scores]
    Play.objects.create(
        match=match,
        index=0,
        seating=list(range(len(bots))),
        places=places,
        points=[-place for place in places],
        faults=[],
        decisions=10,
    )
    match.status, match.seed, match.finished_at = Match.Status.FINISHED, 1, timezone.now()
    match.save(update_fields=["status", "seed", "finished_at"])


def covered(found: list[tuple[Bot, float, OpenRating]]) -> list[bool]:
    return [row.low_milli < 1000 * truth < row.high_milli for _, truth, row in found]


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_the_truth_lies_within_the_intervals(board: Board, settings: Any) -> None:
    found = simulated(board, 1, settings)
    assert len(found) == BOTS
    assert sum(covered(found)) >= BOTS - 1
    errors = [abs(row.milli / 1000 - truth) for _, truth, row in found]
    assert sum(errors) / len(errors) < SPREAD_ELO / 2, "far better than a guess"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(LONG))
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_the_share_within_the_intervals(board: Board, seed: int, settings: Any) -> None:
    """`pytest -m slow -rP` prints how many of the six are within, by seed."""
    found = simulated(board, 100 + seed, settings)
    widths = [(row.high_milli - row.low_milli) / 2000 for *_, row in found]
    print(f"{board} seed {seed}: {sum(covered(found))} of {BOTS}, ±{sum(widths) / BOTS:.0f}")  # noqa: T201
    assert sum(covered(found)) >= BOTS - 3
