"""Analyses on the server: within a quota, behind every match that somebody waits for."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from engine.analysis.analyst import Settings, analyst_for
from engine.analysis.run import analyse
from engine.games import GAMES
from engine.replay import read
from ladder.boards import Board
from ladder.errors import LadderError
from ladder.jobs import analyses as jobs
from ladder.models import Exhibition, JudgedSeat, Match, Play, PlayAnalysis
from ladder.models.study.analysis import PlayAnalysisQuerySet
from ladder.queries import analyses
from ladder.queries.analyses import reports
from ladder.replays import stored as replays
from ladder.services import analyses as service
from tests.factories import make_bot, make_match, make_user
from tests.local_play import play_and_finish

SMALL = Settings(first=2, pairs=4, worlds=2, checks=2)


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    analyst = analyst_for(GAMES["ramen_ramen"])
    monkeypatch.setattr(type(analyst), "budgets", {"standard": SMALL})
    monkeypatch.setattr(jobs, "_next_look", 0.0)
    monkeypatch.setattr(jobs, "_busy_until", 0.0)


@pytest.fixture
def play(db) -> Play:
    match = make_match()
    play_and_finish(match)
    return match.plays.first()


def test_a_play_is_analysed_when_a_worker_is_idle_and_the_numbers_are_those_of_home(play):
    service.request(user=make_user(), play=play.pk)
    assert analyses.of_play(play.pk).status == "queued"

    assert jobs.work_once(is_idle=True)

    told = json.loads(analyses.text_of(play.pk))
    assert told == json.loads(analyse(read(replays.load(play)), SMALL).to_bytes())
    assert PlayAnalysis.objects.current().exists()
    assert jobs.work_once(is_idle=True)  # what it says of the bots
    assert not jobs.work_once(is_idle=True)


def test_an_analysis_by_an_earlier_analyst_is_left_out_of_sums_and_done_again(play, monkeypatch):
    service.request(user=make_user(), play=play.pk)
    for _ in range(2):
        assert jobs.work_once(is_idle=True)
    bot = JudgedSeat.objects.first().bot
    board = Board(play.match.game, play.match.seats)
    assert reports.of_bot(bot.pk, board).plays == 1
    assert not analyses.of_play(play.pk).is_stale

    analyst = analyst_for(GAMES["ramen_ramen"])
    monkeypatch.setattr(type(analyst), "budgets", {"standard": replace(SMALL, pairs=6)})
    assert analyses.of_play(play.pk).is_stale, "it is still shown, with a note"
    earlier = analyses.text_of(play.pk)
    assert earlier is not None
    assert reports.of_bot(bot.pk, board).plays == 0
    assert reports.expensive(bot.pk, board.seats) == []

    monkeypatch.setattr(jobs, "_may_be_stale", True)
    monkeypatch.setattr(jobs, "_next_look", 0.0)
    assert jobs.work_once(is_idle=True)
    queued = analyses.of_play(play.pk)
    assert (queued.status, queued.is_stored, queued.is_stale) == ("queued", True, True)
    assert analyses.text_of(play.pk) == earlier, "shown until it is done again"
    for _ in range(2):  # analysed, studied
        assert jobs.work_once(is_idle=True)
    assert json.loads(analyses.text_of(play.pk))["settings"]["pairs"] == 6
    assert reports.of_bot(bot.pk, board).plays == 1
    assert JudgedSeat.objects.count() == play.match.seats


def test_a_stale_analysis_that_fails_again_is_still_shown(play, client, monkeypatch):
    service.request(user=make_user(), play=play.pk)
    assert jobs.work_once(is_idle=True)
    PlayAnalysis.objects.update(edition="earlier", status="failed")

    told = analyses.of_play(play.pk)

    assert (told.status, told.is_stored, told.is_stale) == ("failed", True, True)
    where = reverse("analysis", args=[play.match_id, 0])
    assert client.get(where).json()["replay"] == play.digest


def test_two_workers_that_renew_at_once_both_go_on(play, monkeypatch):
    """The other one took the newest row between the look and the update."""
    other = make_match()
    play_and_finish(other)
    for one in (play, other.plays.first()):
        service.request(user=make_user(), play=one.pk)
    PlayAnalysis.objects.update(status="done", edition="earlier", content=b"")
    stale, looks = PlayAnalysisQuerySet.stale, []

    def raced(self):
        looks.append(self)
        if len(looks) == 2:
            stale(PlayAnalysis.objects.all()).filter(play__match=other).update(status="running")
        return stale(self)

    monkeypatch.setattr(PlayAnalysisQuerySet, "stale", raced)
    monkeypatch.setattr(jobs, "_may_be_stale", True)

    assert jobs.renew_once()
    assert analyses.of_play(play.pk).status == "queued"
    assert not jobs.renew_once(), "none is left"


def test_a_busy_ladder_gives_analyses_a_few_per_cent_of_its_time(play):
    other = make_match()
    play_and_finish(other)
    for one in (play, other.plays.first()):
        service.request(user=make_user(), play=one.pk)

    assert jobs.work_once(is_idle=False)
    assert not jobs.work_once(is_idle=False)
    assert jobs.work_once(is_idle=True)


def test_asking_twice_is_one_analysis_and_the_quota_is_told(play, settings):
    settings.MAX_ANALYSES_PER_DAY = 1
    user = make_user()
    service.request(user=user, play=play.pk)
    service.request(user=user, play=play.pk)
    other = make_match()
    play_and_finish(other)

    with pytest.raises(LadderError, match="limit of 1 server analyses a day"):
        service.request(user=user, play=other.plays.first().pk)
    assert PlayAnalysis.objects.count() == 1


def test_an_analysis_steps_back_when_somebody_waits_for_a_match(play, monkeypatch):
    service.request(user=make_user(), play=play.pk)
    monkeypatch.setattr(jobs, "LOOK_SECONDS", 0.0)
    challenge = make_match()

    jobs.work_once(is_idle=True)

    row = PlayAnalysis.objects.get()
    assert (row.status, row.attempt, row.lease_until) == ("queued", 0, None)
    Match.objects.filter(pk=challenge.pk).delete()
    jobs.work_once(is_idle=True)
    assert analyses.of_play(play.pk).status == "done"


def test_a_worker_that_died_is_replaced_and_its_late_answer_does_not_count(play):
    service.request(user=make_user(), play=play.pk)
    dead = PlayAnalysis.objects.claim_next()
    assert PlayAnalysis.objects.claim_next() is None
    PlayAnalysis.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    second = PlayAnalysis.objects.claim_next()

    assert second is not None
    found = analyse(read(replays.load(play)), SMALL)
    assert not service.finish(dead, found)
    assert service.finish(second, found)
    assert jobs.study_once()
    assert not service.finish(dead, found)
    assert JudgedSeat.objects.count() == play.match.seats, "what the second one found stays"


def test_an_analysis_that_keeps_breaking_is_given_up(play, monkeypatch):
    service.request(user=make_user(), play=play.pk)
    monkeypatch.setattr(jobs.replays, "load", lambda play: b"no replay")

    for _ in range(service.MAX_ATTEMPTS):
        assert jobs.work_once(is_idle=True)

    assert analyses.of_play(play.pk).status == "failed"
    assert "not JSON" in analyses.of_play(play.pk).problem
    assert not jobs.work_once(is_idle=True)


def test_the_first_ladder_matches_of_a_version_are_analysed_unasked(db):
    mine, house = make_bot(), make_bot(is_house=True)
    queued = []
    for _ in range(service.FIRST_MATCHES + 1):
        match = make_match(mine, house, kind=Match.Kind.LADDER)
        play_and_finish(match)
        service.queue_for(match)
        queued.append(PlayAnalysis.objects.filter(play__match=match).exists())

    assert queued == [True] * service.FIRST_MATCHES + [False]


def test_the_match_of_the_day_is_analysed_unasked_and_other_exhibitions_are_not(db):
    queued = []
    for theme, day in (("day", timezone.now().date()), ("rivals", None)):
        match = make_match(kind=Match.Kind.EXHIBITION)
        Exhibition.objects.create(match=match, theme=theme, day=day)
        play_and_finish(match)
        service.queue_for(match)
        queued += PlayAnalysis.objects.filter(play__match=match).values_list("why", flat=True)

    assert queued == ["match of the day"]


def test_an_analysis_that_ends_its_workers_is_given_up(play):
    """Killed for its memory, say: no line of Python is left to count the attempt."""
    service.request(user=make_user(), play=play.pk)
    for _ in range(service.MAX_ATTEMPTS):
        assert PlayAnalysis.objects.claim_next() is not None
        PlayAnalysis.objects.update(lease_until=timezone.now() - timedelta(seconds=1))

    assert PlayAnalysis.objects.claim_next() is None
    assert analyses.of_play(play.pk).status == "failed"
    assert "stopped" in analyses.of_play(play.pk).problem


def test_a_long_analysis_keeps_its_lease(play, monkeypatch):
    service.request(user=make_user(), play=play.pk)
    row = PlayAnalysis.objects.claim_next()
    PlayAnalysis.objects.update(lease_until=timezone.now() + timedelta(seconds=5))
    monkeypatch.setattr(jobs, "LOOK_SECONDS", 0.0)
    seen = []
    prolong = service.prolong
    monkeypatch.setattr(service, "prolong", lambda row: seen.append(prolong(row)) or seen[-1])

    jobs.perform(row)

    assert seen and all(seen)
    assert analyses.of_play(play.pk).status == "done"


def test_the_scheduler_wakes_an_idle_worker_for_analyses_that_wait(play, monkeypatch):
    """After a restart no match may come, and exhibitions wait until no analysis is left."""
    woken = []
    monkeypatch.setattr(service.nudges, "nudge", lambda priority, times=1: woken.append(times))

    service.sweep()
    assert woken == []
    PlayAnalysis.objects.create(play=play, why="first matches of a version")
    service.sweep()
    assert woken == [1]

    other = make_match()
    Match.all_objects.filter(pk=other.pk).update(
        status="running", worker="w", lease_until=timezone.now() + timedelta(minutes=1)
    )
    service.sweep()
    assert woken == [1, 0], "who plays looks for analyses by itself"
