"""The figures of /calibration/ on a site whose truth was planted."""

import math
from random import Random

import pytest
from django.utils import timezone

from ladder.models import Entry, Match, Rating, Tick
from ladder.queries.calibration import _agrees, _bin, first_intervals, predictions
from ladder.ratings.outcome import expected
from tests.factories import DUEL, first_change, make_bot

pytestmark = pytest.mark.django_db

MATCHES = 1500


def evenly(root: int, number: int) -> float:
    """From 0 to 1, spread more evenly than by chance, so that few matches tell the truth."""
    return number * math.sqrt(root) % 1


def plant(stretch: float) -> None:
    """Finished duels of two bots, whose gap the ratings show `stretch` times too large."""
    now = timezone.now()
    one, other = make_bot(), make_bot()
    made = Match.all_objects.bulk_create(
        Match(
            kind=Match.Kind.LADDER,
            game=DUEL.game,
            seats=DUEL.seats,
            seed=number,
            priority=0,
            status=Match.Status.FINISHED,
            finished_at=now,
        )
        for number in range(MATCHES)
    )
    entries = []
    for match in made:
        gap = 800 * evenly(5, match.seed) - 400
        score = sum(evenly(root, match.seed) < expected(gap) for root in (2, 3)) / 2
        seats = ((one, stretch * gap / 2, score), (other, -stretch * gap / 2, 1 - score))
        for slot, (bot, shown, share) in enumerate(seats):
            entries.append(
                Entry(
                    match=match,
                    slot=slot,
                    bot=bot,
                    version=bot.active_version,
                    rating_milli=round(1000 * (1500 + shown)),
                    score=share,
                )
            )
    Entry.objects.bulk_create(entries)


def test_where_ratings_are_true_predicted_and_scored_agree():
    plant(1.0)

    bins = predictions()

    assert sum(one.seats for one in bins) == 2 * MATCHES
    assert [one.low for one in bins] == list(range(0, 100, 10))
    assert all(one.is_right for one in bins)
    for one in bins:
        assert one.low <= 100 * one.predicted <= one.high
        assert one.scored == pytest.approx(one.predicted, abs=0.05)


def test_where_ratings_exaggerate_the_bins_say_so():
    plant(2.0)

    bins = predictions()

    assert sum(one.is_right for one in bins) <= len(bins) / 2
    assert bins[0].scored > bins[0].predicted + 0.1
    assert bins[-1].scored < bins[-1].predicted - 0.1


def test_a_table_whose_seats_are_not_all_among_the_newest_is_left_out(monkeypatch):
    plant(1.0)
    monkeypatch.setattr("ladder.queries.calibration.NEWEST_ENTRIES", 11)

    assert sum(one.seats for one in predictions()) == 10


def test_the_margin_counts_tables_and_not_their_seats():
    rng = Random(1)
    pairs = [(0.5, float(rng.random() < 0.5)) for _ in range(200)]

    alone = _bin(5, [[pair] for pair in pairs])
    copied = _bin(5, [[pair, pair] for pair in pairs])
    balanced = _bin(5, [[(0.5, score), (0.5, 1 - score)] for _, score in pairs])

    assert alone.reach == pytest.approx(0.07, abs=0.005)
    assert copied.reach == pytest.approx(alone.reach)  # who says it twice knows no more
    assert balanced.reach == pytest.approx(0)  # what one wins the other loses


def test_what_was_known_then_is_not_counted_as_agreement():
    rng = Random(2)
    before, since = 70.0**2, 40.0**2
    after = 1 / (1 / before + 1 / since)
    hits = 0
    for _ in range(2000):
        then, alone = rng.gauss(1500, before**0.5), rng.gauss(1500, since**0.5)
        hits += _agrees(then, before, after * (then / before + alone / since), after)

    assert hits / 2000 == pytest.approx(0.95, abs=0.015)


def test_intervals_that_held_are_counted_among_those_known_twice_as_well():
    tick = Tick.objects.create(game=DUEL.game, seats=DUEL.seats, number=1)
    cases = [(1500, 100)] * 7 + [(1650, 100)] + [(1900, 260)]  # now, and the width of its interval
    for now, width in cases:
        rating = Rating.objects.on(DUEL).get(bot=make_bot())
        for milli, reach, provisional in ((1400, 300, True), (1500, 140, False)):
            first_change(
                tick=tick,
                rating=rating,
                milli=1000 * milli,
                low_milli=1000 * (milli - reach),
                high_milli=1000 * (milli + reach),
                is_provisional=provisional,
                sets=1,
                plays=2,
                score_sum=1,
            ).save()
            tick = Tick.objects.create(game=DUEL.game, seats=DUEL.seats, number=tick.number + 1)
        rating.milli = 1000 * now
        rating.low_milli, rating.high_milli = 1000 * now - 500 * width, 1000 * now + 500 * width
        rating.save()

    held = first_intervals()

    assert (held.n, held.share) == (8, 7 / 8)
