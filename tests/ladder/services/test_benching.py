"""A version that fails on the ladder again and again is benched; the last sound one plays on."""

from __future__ import annotations

import pytest
from django.utils import timezone

from ladder.boards import Board
from ladder.contract.bots import Record
from ladder.models import Bot, Entry, Match, Rating
from ladder.queries.figures import records
from ladder.services import bots
from tests.factories import DUEL, make_bot, make_match, make_version

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def after_three(settings):
    settings.BENCH_AFTER = 3


def ladder_match(
    bot: Bot, *, faults: int, kind: str = Match.Kind.LADDER, board: Board = DUEL
) -> None:
    """A finished match in which the bot failed in so many plays."""
    others = [make_bot(is_house=True) for _ in range(board.sides - 1)]
    match = make_match(bot, *others, kind=kind, board=board)
    Match.all_objects.filter(pk=match.pk).update(
        status=Match.Status.FINISHED, finished_at=timezone.now()
    )
    Entry.objects.filter(match=match, bot=bot).update(faults=faults)
    match.refresh_from_db()
    bots.bench_faulty(match)
    bot.refresh_from_db()


def test_after_so_many_faulty_matches_in_a_row_the_older_version_plays_on():
    bot = make_bot()
    sound, faulty = bot.active_version, make_version(bot)

    for _ in range(2):
        ladder_match(bot, faults=1)
    assert bot.active_version == faulty
    ladder_match(bot, faults=2)

    faulty.refresh_from_db()
    assert bot.active_version == sound
    assert faulty.benched_at is not None
    assert faulty.bench_reason == "It failed in 3 ladder matches in a row (2 players)."


def test_a_sound_match_in_between_and_matches_off_the_ladder_do_not_count():
    bot = make_bot()

    for faults in (1, 1, 0, 1, 1):
        ladder_match(bot, faults=faults)
    for _ in range(3):
        ladder_match(bot, faults=1, kind=Match.Kind.CHALLENGE)

    assert bot.active_version.benched_at is None


def test_without_an_older_version_the_bot_rests_and_its_waiting_challenges_are_called_off():
    bot = make_bot()
    waiting = make_match(bot, make_bot())
    drawn = make_match(bot, make_bot(), kind=Match.Kind.LADDER)

    for _ in range(3):
        ladder_match(bot, faults=1)

    waiting.refresh_from_db()
    drawn.refresh_from_db()
    assert bot.active_version is None
    assert not Bot.objects.playing().filter(pk=bot.pk).exists()
    assert waiting.status == Match.Status.CANCELLED
    assert drawn.status == Match.Status.QUEUED  # else a fault would be a way out of a match


def test_one_click_lets_it_return_and_its_old_faults_are_forgiven():
    bot = make_bot()
    version = bot.active_version
    for _ in range(3):
        ladder_match(bot, faults=1)
    version.refresh_from_db()

    bots.activate(version=version)
    bot.refresh_from_db()
    ladder_match(bot, faults=1)

    version.refresh_from_db()
    assert bot.active_version == version
    assert version.benched_at is None


@pytest.mark.parametrize("never", ["by the setting", "a house bot"])
def test_nothing_is_benched_by_a_setting_of_zero_nor_a_bot_of_the_house(settings, never):
    settings.BENCH_AFTER = 0 if never == "by the setting" else 3
    bot = make_bot(is_house=never == "a house bot")

    for _ in range(4):
        ladder_match(bot, faults=1)

    assert bot.active_version is not None


def test_faults_are_counted_board_by_board():
    bot, table = make_bot(), Board("ramen_ramen", 3)

    for _ in range(2):
        ladder_match(bot, faults=1)
        ladder_match(bot, faults=0, board=table)
    assert bot.active_version is not None
    version = bot.active_version
    ladder_match(bot, faults=1)

    version.refresh_from_db()
    assert version.bench_reason == "It failed in 3 ladder matches in a row (2 players)."
    for seats, sets in ((2, 7), (3, 2)):  # as its ratings count them
        Rating.objects.filter(version=version, seats=seats).update(sets=sets)
    assert records([version.pk]) == {
        version.pk: [
            Record(seats=2, matches=7, faulty=3, last_faulty=Match.objects.first().pk),
            Record(seats=3, matches=2, faulty=0, last_faulty=None),
        ]
    }
