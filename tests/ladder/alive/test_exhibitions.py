"""What is played when nothing else is: it counts for nothing and delays nobody."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from ladder.contract.events import Kind
from ladder.jobs import runner, worker
from ladder.models import (
    Entry,
    Event,
    Exhibition,
    Match,
    PlayAnalysis,
    Rating,
    RatingChange,
    User,
    Version,
    Worker,
)
from ladder.operation import nudges
from ladder.queries import exhibitions as questions
from ladder.queries import figures, limits, operation
from ladder.services import bots, exhibitions, housekeeping, matches
from ladder.services.fairness import looking
from tests.factories import DUEL, make_bot, make_match, make_user
from tests.local_play import play_and_finish, record_of

pytestmark = pytest.mark.django_db
Theme = Exhibition.Theme


@pytest.fixture
def settled(settings):
    """A board with four ranked bots, a worker that is alive, and nothing to play."""
    settings.WORKERS = 2
    settings.EXHIBITION_PAUSE = timedelta(0)
    Worker.objects.create(name="host", seen_at=timezone.now())
    rows = [make_bot(seat_counts=[2]) for _ in range(4)]
    for place, bot in enumerate(rows):
        own = Rating.objects.filter(bot=bot)
        own.update(is_provisional=False, is_settled=True, milli=1_500_000 - 1000 * place)
    return rows


def arranged(theme: str = "") -> Match:
    """The next exhibition, of a theme if one is named; those before it are struck out."""
    for seed in range(20):
        match = exhibitions.arrange(Random(seed))
        assert match is not None
        if theme in ("", match.exhibition.theme):
            return match
        matches.cancel(match, "a test wants another")
    raise AssertionError(f"no exhibition of {theme}")


def test_the_first_of_a_day_is_the_match_of_the_day_between_the_best(settled):
    match = arranged()

    assert (match.kind, match.exhibition.theme) == ("exhibition", Theme.DAY)
    assert [entry.bot for entry in match.entries.order_by("slot")] == settled[:2]
    assert match.exhibition.day == timezone.now().date()
    matches.cancel(match, "enough")
    assert arranged().exhibition.theme != Theme.DAY  # one for each day


def test_two_schedulers_make_one_match_of_the_day(settled, monkeypatch):
    """The second has looked before the first has stored its own."""
    today = timezone.now().date()
    assert exhibitions._match_of_the_day(today) is not None

    assert exhibitions._match_of_the_day(today) is None
    assert Match.all_objects.filter(kind=Match.Kind.EXHIBITION).count() == 1


def test_rivals_are_neighbours_and_the_newest_meets_the_oldest(settled):
    rivals = [settled.index(one.bot) for one in arranged(Theme.RIVALS).entries.order_by("slot")]
    assert rivals[1] == rivals[0] + 1
    matches.cancel(Match.all_objects.latest("pk"), "enough")

    generations = arranged(Theme.GENERATIONS)
    met = [one.bot for one in generations.entries.order_by("slot")]
    assert met == [settled[-1], settled[0]]


@pytest.mark.parametrize("status", ["queued", "running"])
@pytest.mark.parametrize("kind", ["ladder", "challenge", "tournament", "trial", "check"])
def test_none_is_arranged_while_anything_else_is_to_be_played(settled, kind, status):
    other = make_match(*settled[:2], kind=kind)
    if status == "running":
        assert Match.all_objects.claim_next("one") is not None

    assert exhibitions.arrange() is None
    matches.cancel(other, "over")
    assert exhibitions.arrange() is not None
    assert exhibitions.arrange() is None  # one at a time


def test_none_is_arranged_while_an_analysis_waits(settled):
    match = make_match(*settled[:2])
    assert play_and_finish(match)
    waiting = PlayAnalysis.objects.create(play=match.plays.first(), why="a test")

    assert exhibitions.arrange() is None
    waiting.delete()
    assert exhibitions.arrange() is not None


def test_the_cpu_share_is_what_plays_used_within_the_hour(settled, settings):
    """5% of two processes are 360 seconds an hour."""
    settings.EXHIBITION_SHARE = 5
    match = arranged()
    exhibitions.charge(match, 200_000_000)
    matches.cancel(match, "over")
    assert questions.usage().share == pytest.approx(100 * 200 / 7200)
    second = arranged()
    exhibitions.charge(second, 200_000_000)
    matches.cancel(second, "over")

    assert exhibitions.arrange() is None

    Exhibition.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    assert exhibitions.arrange() is not None


def test_zero_turns_exhibitions_off_and_so_does_a_site_without_workers(settled, settings):
    settings.EXHIBITION_SHARE = 0
    assert exhibitions.arrange() is None
    settings.EXHIBITION_SHARE = 5
    Worker.objects.all().delete()
    assert exhibitions.arrange() is None


def test_a_pause_lies_between_two(settled, settings):
    settings.EXHIBITION_PAUSE = timedelta(seconds=60)
    match = arranged()
    assert play_and_finish(match)
    assert exhibitions.arrange() is None
    Match.all_objects.update(finished_at=timezone.now() - timedelta(seconds=61))
    assert exhibitions.arrange() is not None


def test_everything_else_is_claimed_first(settled):
    match = arranged()
    later = make_match(*settled[:2], kind=Match.Kind.LADDER)

    assert Match.all_objects.claim_next("one") == later
    assert Match.all_objects.claim_next("one") == match
    assert nudges.queue_of(match.priority) == "ladder"


def test_it_leaves_ratings_figures_quotas_findings_and_benches_alone(settled, settings):
    """Though every play of it ends in a fault."""
    settings.BENCH_AFTER = 1
    user: User = settled[0].owner
    before = list(Rating.objects.order_by("pk").values())
    match = arranged()
    claimed = Match.all_objects.claim_next("one")
    record = record_of(claimed)
    for one in record.plays:
        one.played.faults[0] = runner.Fault("crash", "it stopped", "")
    assert matches.finish(claimed, record)
    bots.bench_faulty(claimed)

    assert list(Rating.objects.order_by("pk").values()) == before
    assert not RatingChange.objects.filter(tick__matches=match).exists()
    assert figures.figures(settled[0].pk, DUEL).matches == 0
    assert figures.records(Version.objects.values_list("pk", flat=True)) == {}
    assert not Event.objects.filter(kind=Kind.MATCH_FAULTED).exists()
    assert not Version.objects.exclude(benched_at=None).exists()
    assert limits.challenges(user.pk).used == 0
    assert looking.look(DUEL) == []
    assert Entry.objects.filter(match=match, faults__gt=0).exists()  # they are on its own page


def test_a_slow_machine_is_not_held_against_the_bots_of_an_exhibition(settled):
    match = arranged()
    claimed = Match.all_objects.claim_next("one")

    matches.fail(claimed, "too slow", slot=0)

    assert not Version.objects.filter(discarded_attempts__gt=0).exists()
    assert operation.starved_bots() == []
    match.refresh_from_db()
    assert match.status == Match.Status.QUEUED


def test_giving_way_is_no_failure(settled, settings):
    match = arranged()
    urgent = make_match(*settled[:2], kind=Match.Kind.LADDER)
    for _ in range(settings.MAX_ATTEMPTS + 2):
        claimed = Match.all_objects.filter(pk=match.pk).claim_next("one")
        assert matches.gives_way(claimed)
    matches.cancel(urgent, "over")

    claimed = Match.all_objects.filter(pk=match.pk).claim_next("one")
    assert not matches.gives_way(claimed)
    matches.fail(claimed, "once")
    match.refresh_from_db()
    assert match.status == Match.Status.QUEUED


@pytest.mark.jail
def test_a_worker_plays_it_slowly_stops_for_a_rated_match_and_charges_both(settled, settings):
    settings.EXHIBITION_PACE_MS = 40
    match = arranged()
    claimed = Match.all_objects.claim_next(worker.name())
    urgent = make_match(*settled[:2], kind=Match.Kind.LADDER)

    assert worker.perform(claimed) == "lost"

    match.refresh_from_db()
    assert match.status == Match.Status.QUEUED
    cut_short = Exhibition.objects.get(match=match).cpu_us
    assert cut_short > 0
    matches.cancel(urgent, "over")
    again = Match.all_objects.claim_next(worker.name())
    assert worker.perform(again) == "finished"
    match.refresh_from_db()
    decisions = sum(match.plays.values_list("decisions", flat=True))
    assert (match.finished_at - match.started_at).total_seconds() > decisions * 0.04
    used = Exhibition.objects.get(match=match).cpu_us
    bots_alone = sum(match.entries.values_list("cpu_us", flat=True))
    assert used > cut_short + bots_alone


def test_old_ones_are_deleted_with_their_files_and_matches_of_the_day_stay(settled, settings):
    day, other = arranged(), None
    assert play_and_finish(day)
    other = arranged()
    assert play_and_finish(other)
    file = other.plays.first().replay.name
    housekeeping.clean()
    assert default_storage.exists(file)
    month_ago = timezone.now() - timedelta(days=settings.KEEP_EXHIBITIONS_DAYS + 1)
    Exhibition.objects.update(created_at=month_ago)

    housekeeping.clean()

    assert not default_storage.exists(file)
    assert list(Match.all_objects.filter(kind="exhibition")) == [day]


def test_pages_and_api_label_it_and_the_front_page_leads_with_it(settled):
    match = arranged()
    assert play_and_finish(match)
    client = Client()

    home = client.get("/").content.decode()
    assert "match of the day" in home
    assert f'data-match="{match.pk}"' in home
    page = client.get(f"/matches/{match.pk}/").content.decode()
    assert "exhibition (unrated)" in page
    assert "not rated" in page
    assert "exhibition (unrated)" in client.get("/matches/").content.decode()
    assert "exhibition (unrated)" in client.get(f"/matches/{match.pk}/plays/0/").content.decode()
    told = client.get("/api/v1/matches/?kind=exhibition").json()
    assert [one["kind"] for one in told["results"]] == ["exhibition"]


def test_operators_see_what_exhibitions_cost(settled, client):
    match = arranged()
    exhibitions.charge(match, 36_000_000)
    client.force_login(make_user("chef", is_staff=True, is_superuser=True))

    page = client.get("/admin/kitchen/").content.decode()

    assert "used 36.0 s of CPU" in page
    assert "0.50% of what 2 processes have" in page
    assert "ladle_exhibition_cpu_percent 0.5" in client.get("/metrics").content.decode()
