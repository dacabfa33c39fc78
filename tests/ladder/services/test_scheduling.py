"""The number of tables follows what the workers can play, and nobody is held up."""

from random import Random

import pytest
from django.utils import timezone

from ladder.models import Entry, Match, Rating, RatingChange, Tick, Worker
from ladder.ratings.matchmaking import OPEN_SETS
from ladder.services import matches, scheduling
from ladder.services.rating import fitting, rating_log
from tests.factories import DUEL, make_bot, make_user
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db

PROCESSES = 64


@pytest.fixture
def many_workers(settings):
    """Four hosts that are alive with sixteen processes each."""
    settings.WORKERS = PROCESSES // 4
    for number in range(4):
        Worker.objects.create(name=f"host-{number}", seen_at=timezone.now())


def make_duel(bots: int) -> None:
    """One board where a house bot and some newcomers play."""
    make_bot(make_user("house"), house_slug="random", seat_counts=[2])
    for _ in range(bots):
        make_bot(seat_counts=[2])


def claim_all() -> list[Match]:
    """What as many processes as there are take from the queue."""
    claimed = (Match.all_objects.claim_next("one") for _ in range(PROCESSES))
    return [match for match in claimed if match is not None]


def test_one_board_keeps_all_idle_processes_busy(many_workers):
    make_duel(bots=40)

    scheduling.fill_queue()

    assert len(claim_all()) == PROCESSES
    scheduling.fill_queue()
    assert Match.all_objects.running().count() == PROCESSES
    assert Match.all_objects.waiting().count() >= PROCESSES


def test_no_more_wait_than_two_for_each_process_and_what_a_tick_holds(many_workers):
    make_duel(bots=40)

    for _ in range(3):
        scheduling.fill_queue()

    waiting = Match.all_objects.waiting().count()
    assert 2 * PROCESSES <= waiting < 2 * PROCESSES + 4


def test_a_large_board_keeps_many_processes_busy_too(many_workers, monkeypatch):
    monkeypatch.setattr(scheduling, "WHOLE_BOARD", 5)
    make_duel(bots=80)
    for number, rating in enumerate(Rating.objects.on(DUEL).filter(is_anchor=False)):
        rating.milli, rating.sets = 1_000_000 + 1000 * number, 2
        rating.save()

    scheduling.fill_queue()

    assert Match.all_objects.waiting().count() >= 2 * PROCESSES


def test_workers_that_cannot_play_ask_for_nothing(many_workers, settings):
    make_duel(bots=40)
    Worker.objects.update(problem="bubblewrap is missing")

    scheduling.fill_queue()

    assert Match.all_objects.waiting().count() < settings.QUEUE_TARGET + 4


def test_short_plays_are_made_as_quickly_as_they_are_played(settings):
    make_duel(bots=24)
    scheduling.fill_queue()
    played = Match.all_objects.waiting().count()
    seed, now = 1, timezone.now()
    Match.all_objects.update(status="finished", finished_at=now, started_at=now, seed=seed)
    for more in Match.all_objects.all():
        for _ in range(3):
            more.pk = None
            more.save()

    scheduling.fill_queue()

    assert Match.all_objects.waiting().count() >= 4 * played > settings.QUEUE_TARGET


def test_open_sets_count_so_that_one_bot_is_not_in_all_matches(many_workers):
    make_duel(bots=6)
    Rating.objects.filter(is_anchor=False).update(is_settled=True, is_provisional=False, sets=90)
    newcomer = make_bot(seat_counts=[2])

    for _ in range(3):
        scheduling.fill_queue()

    assert Entry.objects.filter(bot=newcomer).count() == OPEN_SETS


def test_a_slow_match_delays_nobody_else_and_ratings_verify(many_workers):
    make_duel(bots=6)
    scheduling.fill_queue()
    slow = Match.all_objects.claim_next("slow")
    for _ in range(2):
        for match in Match.all_objects.waiting().order_by("pk")[:12]:
            play_and_finish(match)
        fitting.rate_ready_ticks()
        scheduling.fill_queue()

    rated = Tick.objects.exclude(applied_at=None)
    assert slow.tick not in rated
    assert rated.filter(number__gt=slow.tick.number).count() > 2
    assert list(rating_log.verify(DUEL)) == []
    # The rest, the slow one last: its tick is rated long after later ones.
    for match in Match.all_objects.waiting():
        play_and_finish(match)
    fitting.rate_ready_ticks()
    Match.all_objects.filter(pk=slow.pk).update(status="queued", lease_until=None)
    play_and_finish(Match.all_objects.get(pk=slow.pk))
    assert fitting.rate_ready_ticks() == [slow.tick]
    assert list(rating_log.verify(DUEL)) == []


def test_a_tick_rated_late_adds_up_only_what_follows_of_those_who_played():
    make_duel(bots=6)
    early, *later = (scheduling.create_tick(DUEL, Random(seed)) for seed in range(4))
    assert all(later)
    one, *others = early.matches.order_by("pk")
    for match in others:
        matches.cancel(match, "a test")
    for tick in later:
        for match in tick.matches.all():
            play_and_finish(match)
    fitting.rate_ready_ticks()
    absent = RatingChange.objects.exclude(
        rating__version__in=one.entries.values_list("version", flat=True)
    )
    assert absent.update(total_points_square_sum=-1)  # would be put right if it were added up

    play_and_finish(one)
    assert fitting.rate_ready_ticks() == [early]

    assert not absent.exclude(total_points_square_sum=-1).exists()
    assert list(rating_log.verify(DUEL)) == []


@pytest.mark.parametrize("whole_board", [200, 5])
def test_an_upload_is_seated_first_however_many_another_owner_has_uploaded(
    monkeypatch, whole_board
):
    monkeypatch.setattr(scheduling, "WHOLE_BOARD", whole_board)
    make_duel(bots=2)
    flood = make_user()
    for _ in range(20):
        make_bot(flood, seat_counts=[2])
    upload = make_bot(seat_counts=[2])

    tick = scheduling.create_tick(DUEL, Random(0))

    first, second, third, *_ = tick.matches.order_by("pk")
    assert first.entries.get(slot=0).bot == upload
    owners = [match.entries.get(slot=0).bot.owner_id for match in (second, third)]
    assert owners.count(flood.pk) <= 1
