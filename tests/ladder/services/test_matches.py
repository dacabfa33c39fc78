from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from engine.games import get
from engine.replay import read, verify
from ladder.boards import Board
from ladder.errors import LadderError, QuotaReached
from ladder.models import Match, Play, Version, Worker
from ladder.services import challenges, matches
from tests.factories import DUEL, make_bot, make_match, make_user, make_version
from tests.local_play import play_and_finish, record_of

pytestmark = pytest.mark.django_db


def test_claim_returns_none_while_another_worker_holds_the_match():
    match = make_match()

    first = Match.all_objects.filter(pk=match.pk).claim_next("one")
    second = Match.all_objects.filter(pk=match.pk).claim_next("two")

    assert first.worker == "one"
    assert first.attempt == 1
    assert second is None


def test_the_most_urgent_match_is_claimed_first_whatever_was_queued_before():
    bots = [make_bot(), make_bot()]
    kinds = [Match.Kind.LADDER, Match.Kind.TOURNAMENT, Match.Kind.CHALLENGE, Match.Kind.CHECK]
    for kind in kinds:
        make_match(*bots, kind=kind)

    claimed = [Match.all_objects.claim_next("w").kind for _ in kinds]

    assert claimed == list(reversed(kinds))
    assert Match.all_objects.claim_next("w") is None


@pytest.mark.parametrize(
    ("priorities", "kinds"), [(set(), []), ({3}, ["ladder"]), ({0, 3}, ["check", "ladder"])]
)
def test_a_worker_claims_of_its_own_queues_only_and_of_none_while_it_rests(priorities, kinds):
    bots = [make_bot(), make_bot()]
    for kind in (Match.Kind.LADDER, Match.Kind.CHALLENGE, Match.Kind.CHECK):
        make_match(*bots, kind=kind)

    claimed = [Match.all_objects.claim_next("w", priorities) for _ in range(4)]

    assert [match.kind for match in claimed if match] == kinds


def test_finishing_stores_plays_replays_and_summaries_once():
    match = make_match()
    claimed = Match.all_objects.filter(pk=match.pk).claim_next("one")
    record = record_of(claimed)

    assert matches.finish(claimed, record)
    assert not matches.finish(claimed, record)

    match.refresh_from_db()
    assert match.status == Match.Status.FINISHED
    assert match.plays.count() == 2
    assert {tuple(play.seating) for play in match.plays.all()} == {(0, 1), (1, 0)}
    for play in match.plays.all():
        with play.replay.open() as file:
            replay = read(file.read())
        assert replay.digest() == play.digest
        verify(get(replay.game), replay)
    for entry in match.entries.all():
        assert entry.place is not None
        assert 0 <= entry.score <= 1
        assert entry.decisions > 0
    assert sum(entry.score for entry in match.entries.all()) == pytest.approx(1)


def test_a_late_attempt_cannot_overwrite_a_newer_one():
    match = make_match()
    late = Match.all_objects.filter(pk=match.pk).claim_next("slow")
    Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    matches.sweep()
    Match.objects.filter(pk=match.pk).update(retry_at=None)
    fresh = Match.all_objects.filter(pk=match.pk).claim_next("fresh")

    assert not matches.finish(late, record_of(late))
    assert not matches.renew(late)
    assert matches.renew(fresh)
    assert matches.finish(fresh, record_of(fresh))
    assert Play.objects.filter(match=match).count() == 2


def test_a_lapsed_lease_is_given_back_with_its_reason_and_void_in_the_end(settings):
    settings.MAX_ATTEMPTS = 2
    match = make_match()

    for attempt in (1, 2):
        Match.objects.filter(pk=match.pk).update(retry_at=None)
        Match.all_objects.filter(pk=match.pk).claim_next(f"worker-{attempt}")
        Match.objects.filter(pk=match.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
        assert matches.sweep() == 1

    match.refresh_from_db()
    assert match.status == Match.Status.VOID
    assert [row["worker"] for row in match.attempts] == ["worker-1", "worker-2"]
    assert "not heard of" in match.attempts[-1]["why"]
    assert match.void_reason == "Given up after 2 attempts that failed on our side."


def test_only_idle_workers_are_woken_again_for_what_has_waited(settings, monkeypatch):
    settings.WORKERS = 2
    woken = []
    queued = [make_match() for _ in range(3)]
    Match.objects.update(created_at=timezone.now() - timedelta(seconds=9))
    monkeypatch.setattr(matches, "nudge", lambda priority, times: woken.append(times))

    matches.sweep()
    for match in queued[:2]:
        Match.all_objects.filter(pk=match.pk).claim_next("busy")
    matches.sweep()
    Worker.objects.create(name="here", seen_at=timezone.now())
    Worker.objects.create(name="elsewhere", seen_at=timezone.now())
    matches.sweep()

    assert woken == [2, 0, 2]


def test_nothing_lapses_while_the_lease_is_renewed():
    match = make_match()
    claimed = Match.all_objects.filter(pk=match.pk).claim_next("one")
    assert matches.renew(claimed)

    assert matches.sweep() == 0


def test_a_check_that_is_given_up_does_not_leave_its_version_waiting(settings, monkeypatch):
    settings.MAX_ATTEMPTS = 1
    monkeypatch.setattr(matches, "CHECK_PATIENCE", 1)
    bot = make_bot(with_version=False)
    version = make_version(bot, status=Version.Status.CHECKING)
    match = matches.queue(
        kind=Match.Kind.CHECK, game=bot.game, seats=2, versions=[version], why="gate"
    )

    matches.fail(Match.all_objects.filter(pk=match.pk).claim_next("one"), "the disk is full")

    version.refresh_from_db()
    assert version.status == Version.Status.REJECTED
    assert "failed on our side" in version.report["verdict"]


def test_a_cancelled_match_cannot_be_finished_but_can_be_queued_again():
    match = make_match()
    claimed = Match.all_objects.filter(pk=match.pk).claim_next("one")

    matches.cancel(match, "a mistake")

    assert not matches.finish(claimed, record_of(claimed))
    assert not matches.cancel(match, "again")
    matches.requeue(match)
    assert play_and_finish(match)


@pytest.mark.parametrize(("game", "seats"), [("ramen_ramen", 1), ("ramen_ramen", 4)])
def test_solo_and_team_matches_are_summarised_per_entry(game, seats):
    board = Board(game, seats)
    bots = [make_bot(game=game) for _ in range(2)]
    match = make_match(*bots, board=board)

    assert play_and_finish(match)

    entries = list(match.entries.all())
    assert len(entries) == 2
    assert match.plays.count() == 2
    assert sum(entry.score for entry in entries) == pytest.approx(1)


def test_a_challenge_needs_a_bot_of_ones_own_and_the_right_number_of_opponents():
    alice, bob = make_user("alice"), make_user("bob")
    own, other = make_bot(alice), make_bot(bob)

    match = challenges.challenge(by=alice, board=DUEL, own=own, others=[other], seed=7)

    assert match.seed == 7
    assert match.tick is None  # it is not rated
    with pytest.raises(LadderError, match="of your own"):
        challenges.challenge(by=bob, board=DUEL, own=own, others=[other])
    with pytest.raises(LadderError, match="needs 1 opponents"):
        challenges.challenge(by=alice, board=DUEL, own=own, others=[])
    with pytest.raises(LadderError, match="The seed must be"):
        challenges.challenge(by=alice, board=DUEL, own=own, others=[other], seed=-1)


def test_challenges_are_limited_per_day(settings):
    settings.MAX_CHALLENGES_PER_DAY = 1
    alice = make_user("alice")
    own, other = make_bot(alice), make_bot()
    challenges.challenge(by=alice, board=DUEL, own=own, others=[other])

    with pytest.raises(QuotaReached):
        challenges.challenge(by=alice, board=DUEL, own=own, others=[other])


def test_the_database_refuses_two_entries_in_one_slot_and_two_plays_of_one_index():
    match = make_match()
    play_and_finish(match)

    for row in (match.entries.first(), match.plays.first()):
        row.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            row.save(force_insert=True)


def test_an_entry_is_said_to_have_decided_as_often_as_it_did():
    bots = [make_bot(game="hot_ramen", seat_counts=[4]) for _ in range(4)]
    match = make_match(*bots, board=Board("hot_ramen", 4))
    claimed = Match.all_objects.filter(pk=match.pk).claim_next("w")
    record = record_of(claimed)

    matches.finish(claimed, record)

    asked = [0, 0, 0, 0]
    for one in record.plays:
        for step in one.played.replay.log:
            if "action" in step:
                asked[one.seating[step["seat"]]] += 1
    stored = list(match.entries.order_by("slot").values_list("decisions", flat=True))
    assert stored == asked
    assert len(set(asked)) > 1  # or an even split would pass
