"""Results of rated ticks in a compact form give the ratings that their matches give."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from ladder.boards import Board
from ladder.models import Rating, ResultSegment, Tick
from ladder.services import matches
from ladder.services.rating import fitting, rating_log, segments
from tests.factories import DUEL
from tests.ladder.services.test_ratings import make_board, play_tick

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def short_segments(monkeypatch):
    monkeypatch.setattr(segments, "TICKS", 3)


def started_anew(board):
    """As a scheduler finds a board that another one rated."""
    fitting._kept.clear()
    segments.seal(board)


def shown(board):
    rows = Rating.objects.on(board).order_by("version")
    return [(row.version_id, row.milli, row.low_milli, row.high_milli) for row in rows]


@pytest.mark.parametrize("board", [DUEL, Board("ramen_ramen", 4), Board("ramen_ramen", 1)], ids=str)
def test_a_fit_after_a_start_reads_segments_and_gives_the_same(board):
    make_board(board)
    for seed in range(7):
        play_tick(board, seed)
    started_anew(board)
    assert ResultSegment.objects.count() == 2
    assert Tick.objects.on(board).unsealed().count() == 1

    play_tick(board, 8)

    assert list(rating_log.verify(board)) == []
    from_segments = shown(board)
    fitting.rate(board, from_scratch=True)
    assert shown(board) == from_segments


def test_a_match_struck_after_it_was_sealed_counts_no_more():
    make_board(DUEL)
    for seed in range(4):
        play_tick(DUEL, seed)
    started_anew(DUEL)
    sealed = Tick.objects.on(DUEL).filter(segment__isnull=False)

    matches.void(sealed[0].matches.first(), "a test")
    fitting._kept.clear()
    fitting.rate_ready_ticks()

    assert not ResultSegment.objects.exists()
    assert list(rating_log.verify(DUEL)) == []
    started_anew(DUEL)  # and sealed again without it
    play_tick(DUEL, 5)
    assert list(rating_log.verify(DUEL)) == []


def test_a_sealed_tick_without_results_counts_when_its_match_is_played_after_all():
    make_board(DUEL)
    empty = play_tick(DUEL, 0)
    for match in empty.matches.all():
        matches.void(match, "a test")
    for seed in range(1, 3):
        play_tick(DUEL, seed)
    fitting.rate_ready_ticks()
    started_anew(DUEL)
    empty.refresh_from_db()
    assert empty.segment_id is not None
    play_tick(DUEL, 4)

    Tick.objects.filter(pk=empty.pk).update(applied_at=None)
    fitting.rate_ready_ticks()

    empty.refresh_from_db()
    assert empty.segment_id is None and empty.applied_at is not None


def test_a_fit_after_a_start_reads_no_match_that_is_sealed():
    """At a thousand times as many matches that is what makes it quick."""
    make_board(DUEL)
    for seed in range(6):
        play_tick(DUEL, seed)
    started_anew(DUEL)

    with CaptureQueriesContext(
        connection,
    ) as asked:
        results = segments.results_of(DUEL)

    assert len(results) == sum(tick.matches.count() for tick in Tick.objects.on(DUEL))
    of_matches = [one["sql"] for one in asked if '"ladder_match"' in one["sql"]]
    assert all("segment_id" in sql and "IS NULL" in sql for sql in of_matches)
