"""A tournament runs by itself from its stored results, and its record proves it."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from engine.chance import MAX_SEED
from ladder.boards import Board
from ladder.errors import LadderError
from ladder.models import Enrolment, Match, Pairing, Tournament
from ladder.services import matches, tournaments
from ladder.tournaments.knockout import EXTRA_SETS
from ladder.tournaments.record import verify
from ladder.tournaments.seeds import match_seed
from tests.factories import make_user
from tests.ladder.tournaments.events import (
    enter,
    make_tournament,
    play_out,
    play_waiting,
    started,
    waiting,
)
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db

EVERY_KIND = [
    ("round_robin", Board("ramen_ramen", 2), 4),
    ("swiss", Board("ramen_ramen", 2), 5),
    ("single_elimination", Board("ramen_ramen", 2), 5),
    ("double_elimination", Board("ramen_ramen", 2), 5),
    ("gauntlet", Board("ramen_ramen", 2), 4),
    ("pods", Board("ramen_ramen", 3), 7),
    ("groups", Board("ramen_ramen", 3), 7),
    ("groups", Board("ramen_ramen", 2), 7),
    ("swiss", Board("ramen_ramen", 4), 4),
    ("round_robin", Board("ramen_ramen", 1), 3),
]


def proven(tournament: Tournament) -> str:
    """The record as it is downloaded, checked."""
    return verify(json.loads(json.dumps(tournaments.as_record(tournament))))


@pytest.mark.parametrize(
    ("format", "board", "entrants"), EVERY_KIND, ids=[f"{f}-{b}" for f, b, _ in EVERY_KIND]
)
def test_every_format_runs_to_its_end_by_itself_and_its_record_holds(format, board, entrants):
    tournament = make_tournament(board=board, format=format)
    enter(tournament, entrants)

    play_out(started(tournament))

    assert tournament_status(tournament) == Tournament.Status.FINISHED
    ranks = tournament.enrolments.values_list("final_rank", flat=True)
    assert None not in ranks
    assert 1 in ranks
    tournament.refresh_from_db()
    assert "all from the secret committed to" in proven(tournament)


def tournament_status(tournament: Tournament) -> str:
    return Tournament.objects.get(pk=tournament.pk).status


def test_a_round_waits_for_the_one_before_it():
    tournament = make_tournament(format="swiss")
    enter(tournament, 4)
    started(tournament)
    first, second = waiting(tournament)

    play_and_finish(first)
    tournaments.advance_all()
    halfway = tournament.pairings.filter(round=2).count()
    play_and_finish(second)
    tournaments.advance_all()

    assert halfway == 0
    assert tournament.pairings.filter(round=2).count() == 2


def test_advancing_again_and_again_creates_nothing_twice():
    tournament = make_tournament(format="round_robin", sets=2)
    enter(tournament, 4)
    started(tournament)

    for _ in range(3):
        tournaments.advance(tournament)

    assert tournament.pairings.count() == 2
    assert Match.objects.filter(pairing__tournament=tournament).count() == 4
    tournament.refresh_from_db()
    assert tournament.steps == 1


def test_matches_are_on_the_seeds_of_the_secret_and_of_the_frozen_versions():
    tournament = make_tournament(sets=2)
    bots = enter(tournament, 2)
    frozen = {bot.active_version_id for bot in bots}
    started(tournament)

    found = Match.objects.filter(pairing__tournament=tournament)

    for match in found:
        label = match.pairing.label
        assert match.seed == match_seed(tournament.secret, label, match.number) <= MAX_SEED
        assert {entry.version_id for entry in match.entries.all()} == frozen


def test_a_void_set_is_played_again_on_the_same_seed_after_a_pause():
    tournament = make_tournament()
    enter(tournament, 2)
    started(tournament)
    (match,) = waiting(tournament)

    matches.void(match, "the disk was full")
    tournaments.advance_all()
    at_once = waiting(tournament)
    Match.objects.filter(pk=match.pk).update(finished_at=timezone.now() - timedelta(minutes=2))
    tournaments.advance_all()

    assert at_once == []
    (again,) = waiting(tournament)
    assert (again.seed, again.number) == (match.seed, match.number)
    assert tournament_status(play_out(tournament)) == Tournament.Status.FINISHED


def test_a_drawn_knockout_gets_extra_sets_one_at_a_time():
    tournament = make_tournament(format="single_elimination")
    enter(tournament, 2)
    started(tournament)
    draw = {"places": [[1, 2], [2, 1]], "points": [[3, 1], [1, 3]]}

    for number in range(1, EXTRA_SETS + 2):
        (match,) = waiting(tournament)
        assert match.number == number
        play_and_finish(match)
        for play in match.plays.all():
            play.places = draw["places"][play.index]
            play.points = draw["points"][play.index]
            play.seating = [0, 1]
            play.save()
        tournaments.advance_all()

    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.FINISHED
    assert tournaments.Stored.load(tournament).champion() == 1
    assert f"{EXTRA_SETS + 1} seeds" in proven(tournament)


def test_a_withdrawal_between_rounds_gives_walkovers_and_the_record_still_holds():
    tournament = make_tournament(format="round_robin")
    bots = enter(tournament, 4)
    started(tournament)
    play_waiting(tournament)

    tournaments.withdraw(tournament=tournament, bot=bots[1], by=bots[1].owner)
    play_out(tournament)

    assert tournament.status == Tournament.Status.FINISHED
    assert not Match.objects.open().filter(pairing__tournament=tournament).exists()
    proven(tournament)


@pytest.mark.parametrize(
    ("format", "board", "entrants"), EVERY_KIND, ids=[f"{f}-{b}" for f, b, _ in EVERY_KIND]
)
def test_a_disqualification_in_mid_round_stops_nothing_and_the_record_still_holds(
    format, board, entrants
):
    organiser = make_user()
    tournament = make_tournament(organiser, board=board, format=format, sets=2)
    enter(tournament, entrants)
    started(tournament)
    play_and_finish(waiting(tournament)[0])  # one set of two: what was played of it is struck
    gone = waiting(tournament)[0].entries.first().bot

    tournaments.disqualify(tournament=tournament, bot=gone, by=organiser)
    play_out(tournament)

    assert tournament.status == Tournament.Status.FINISHED
    left = Enrolment.objects.get(tournament=tournament, bot=gone)
    assert left.status == Enrolment.Status.DISQUALIFIED
    later = Match.objects.finished().filter(pairing__tournament=tournament, entries__bot=gone)
    assert not later.exists()
    assert f"{entrants} entrants" in proven(tournament)


def test_everybody_withdrawing_ends_the_tournament_without_a_champion():
    tournament = make_tournament(format="round_robin")
    bots = enter(tournament, 3)
    started(tournament)
    tournaments.pause(tournament=tournament, by=tournament.organiser)

    for bot in bots:
        tournaments.withdraw(tournament=tournament, bot=bot, by=bot.owner)
    tournament = tournaments.resume(tournament=tournament, by=tournament.organiser)

    assert tournament.status == Tournament.Status.FINISHED
    record = tournaments.as_record(tournament)
    assert record["champion"] is None
    verify(record)


def test_a_paused_tournament_begins_nothing_new_until_it_is_resumed():
    tournament = make_tournament(format="swiss")
    enter(tournament, 4)
    started(tournament)

    tournaments.pause(tournament=tournament, by=tournament.organiser, why="lunch")
    played = play_waiting(tournament)
    while_paused = waiting(tournament)
    tournaments.resume(tournament=tournament, by=tournament.organiser)

    assert played == 2
    assert while_paused == []
    assert len(waiting(tournament)) == 2


def test_cancelling_calls_off_what_waits_and_tells_the_secret():
    tournament = make_tournament(format="swiss")
    enter(tournament, 4)
    started(tournament)
    play_and_finish(waiting(tournament)[0])
    before = tournaments.as_record(Tournament.objects.get(pk=tournament.pk))

    tournaments.cancel(tournament=tournament, by=tournament.organiser)

    tournament.refresh_from_db()
    after = tournaments.as_record(tournament)
    assert before["secret"] is None
    assert after["secret"] == tournament.secret
    assert Counter(
        Match.objects.filter(pairing__tournament=tournament).values_list("status", flat=True)
    ) == {"finished": 1, "cancelled": 1}
    verify(after)


def test_it_starts_by_itself_at_its_time():
    tournament = make_tournament(start_at=timezone.now() + timedelta(hours=1))
    enter(tournament, 2)
    tournaments.advance_all()
    early = tournament_status(tournament)

    Tournament.objects.update(start_at=timezone.now() - timedelta(seconds=1))
    tournaments.advance_all()

    assert early == Tournament.Status.ENROLLING
    assert tournament_status(tournament) == Tournament.Status.RUNNING


def test_one_that_cannot_start_at_its_time_is_called_off_with_the_reason():
    tournament = make_tournament(start_at=timezone.now() + timedelta(hours=1))
    enter(tournament, 1)
    Tournament.objects.update(start_at=timezone.now() - timedelta(seconds=1))

    tournaments.advance_all()

    tournament.refresh_from_db()
    assert tournament.status == Tournament.Status.CANCELLED
    assert "needs 2 bots" in tournament.note
    with pytest.raises(LadderError, match="is cancelled"):
        started(tournament)


def test_a_scheduler_turn_without_news_costs_two_queries(django_assert_num_queries):
    tournament = make_tournament(format="swiss")
    enter(tournament, 8)
    started(tournament)

    with django_assert_num_queries(2):
        tournaments.advance_all()


def test_the_database_refuses_a_second_table_at_one_place():
    tournament = make_tournament()
    enter(tournament, 2)
    started(tournament)
    pairing = Pairing.objects.get()

    pairing.pk = None

    with pytest.raises(Exception, match=r"(?i)unique"):
        pairing.save(force_insert=True)


def test_one_broken_tournament_does_not_stop_the_others():
    broken, sound = make_tournament(), make_tournament()
    for tournament in (broken, sound):
        enter(tournament, 2)
        started(tournament)
        play_and_finish(waiting(tournament)[0])
    Tournament.objects.filter(pk=broken.pk).update(format="tug of war")

    tournaments.advance_all()

    assert tournament_status(broken) == Tournament.Status.RUNNING
    assert tournament_status(sound) == Tournament.Status.FINISHED
