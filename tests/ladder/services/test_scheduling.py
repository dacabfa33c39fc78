"""The number of tables follows what the workers can play, and nobody is held up."""

from datetime import timedelta
from random import Random

import pytest
from django.db import connection
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from ladder.models import Entry, Match, Rating, RatingChange, Tick, Version, Worker
from ladder.ratings.matchmaking import OPEN_SETS
from ladder.services import matches, scheduling
from ladder.services.rating import fitting, rating_log
from ladder.services.rating.ratings import TURN
from tests.factories import DUEL, make_bot, make_user, make_version
from tests.local_play import play_and_finish
from tests.programs.bench import stock

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


def rating_of(bot) -> Rating:
    return Rating.objects.on(DUEL).get(version=bot.active_version)


def test_a_second_upload_within_an_hour_waits_a_turn_and_one_after_an_hour_does_not():
    author = make_user()
    first, second = make_bot(author, seat_counts=[2]), make_bot(author, seat_counts=[2])

    assert rating_of(second).turn_at - rating_of(first).turn_at > 0.9 * TURN
    third = make_version(second)
    assert rating_of(second).turn_at - rating_of(first).turn_at > 1.9 * TURN
    Version.objects.update(created_at=F("created_at") - TURN)
    make_version(third.bot)
    assert rating_of(second).turn_at <= timezone.now()


@pytest.mark.parametrize("whole_board", [200, 5])
def test_bots_are_finished_before_others_are_begun_by_owners_in_turn(monkeypatch, whole_board):
    monkeypatch.setattr(scheduling, "WHOLE_BOARD", whole_board)
    make_duel(bots=12)
    begun = Rating.objects.on(DUEL).filter(is_anchor=False).order_by("pk")
    begun.update(sets=1, variance=300.0**2)
    near, flood, *_ = begun
    begun.filter(pk=near.pk).update(sets=8)
    begun.filter(pk=flood.pk).update(sets=12, turn_at=timezone.now() + timedelta(minutes=20))

    def sought_first() -> int:
        tick = scheduling.create_tick(DUEL, Random(0))
        return tick.matches.order_by("pk")[0].entries.get(slot=0).version_id

    assert sought_first() == near.version_id
    begun.filter(pk=near.pk).update(is_settled=True)
    assert sought_first() not in (near.version_id, flood.version_id)
    begun.exclude(pk=flood.pk).update(is_settled=True)
    assert sought_first() == flood.version_id


def test_while_ten_thousand_bots_wait_an_upload_has_a_table_in_the_next_tick():
    make_bot(make_user("house"), name="House Random", house_slug="random", seat_counts=[2])

    stock.make_bots(10_000)
    waiting = Rating.objects.on(DUEL).filter(is_anchor=False)
    waiting.update(is_provisional=True, sets=F("version_id") % 7, variance=300.0**2)

    def questions_for(name: str) -> list[str]:
        upload = make_bot(name=name, seat_counts=[2])
        with CaptureQueriesContext(connection) as asked:
            tick = scheduling.create_tick(DUEL, Random(0))
        assert tick.matches.earliest("pk").entries.filter(slot=0, bot=upload).exists()
        return [one["sql"] for one in asked]

    many = questions_for("An upload")
    waiting.filter(pk__gt=waiting.order_by("pk")[300].pk).update(is_listed=False)
    few = questions_for("Another upload")

    assert len(many) <= len(few) + 2
    begun = [one for one in many if '"sets" DESC' in one]
    assert begun
    for question in begun if connection.vendor == "sqlite" else []:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {question}")
            steps = " / ".join(str(row[-1]) for row in cursor.fetchall())
        assert "rating_begun" in steps and "TEMP B-TREE" not in steps, steps
