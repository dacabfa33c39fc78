"""A cup of every game on every day: exactly one, run by itself."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from engine.games import GAMES
from ladder.contract.events import Kind
from ladder.models import Event, Match, Notice, Play, Tournament
from ladder.services import cups, housekeeping, tournaments
from ladder.services.events import dispatch
from tests.factories import make_bot, make_user
from tests.local_play import play_and_finish

pytestmark = pytest.mark.django_db
GAME = "ramen_ramen"


@pytest.fixture
def house(monkeypatch):
    """A house with two bots of every game, and an author with one of Ramen Ramen."""
    owner = make_user("house")
    for game in GAMES:
        for slug in ("random", "greedy"):
            make_bot(owner, game=game, name=f"{game} {slug}", house_slug=slug)
    return make_bot(name="Guest Star")


def play_out(cup: Tournament) -> Tournament:
    Tournament.objects.filter(pk=cup.pk).update(start_at=timezone.now() - timedelta(seconds=1))
    for _ in range(20):
        tournaments.advance_all()
        for match in Match.all_objects.waiting():
            assert play_and_finish(match)
        cup.refresh_from_db()
        if cup.is_over:
            return cup
    raise AssertionError("the cup does not end")


def test_every_game_has_one_cup_a_day_however_often_it_is_asked(house):
    assert cups.hold() == len(GAMES)
    assert cups.hold() == 0

    held = Tournament.objects.exclude(cup_on=None)
    assert sorted(held.values_list("game", flat=True)) == sorted(GAMES)
    assert {cup.start_at > timezone.now() for cup in held} == {True}


def test_two_schedulers_that_look_at_once_make_one(house):
    """The second has seen no cup and is refused by the database."""
    today = timezone.now().date()
    assert cups._announce(GAME, today)
    assert not cups._announce(GAME, today)
    assert Tournament.objects.filter(game=GAME).count() == 1
    assert cups._announce(GAME, today + timedelta(days=1))


def test_a_cup_starts_at_its_hour_or_soon_where_the_site_was_down(house, settings):
    tomorrow = timezone.now().date() + timedelta(days=1)
    settings.CUP_HOUR = 18
    assert cups._start(tomorrow) == datetime.combine(tomorrow, time(18, tzinfo=UTC))
    yesterday = timezone.now().date() - timedelta(days=1)
    assert cups._start(yesterday) > timezone.now()


def test_a_cup_is_played_to_its_champion_with_one_notice_for_its_authors(house):
    cups.hold()
    cup = play_out(Tournament.objects.get(game=GAME))

    assert cup.status == Tournament.Status.FINISHED
    assert cup.enrolments.taking_part().count() == 3  # the author's bot and the house's
    assert not Event.objects.filter(kind=Kind.TOURNAMENT_ROUND).exists()
    dispatch.dispatch_all()
    mine = Notice.objects.filter(user=house.owner)
    assert [one.kind for one in mine] == [Kind.TOURNAMENT_CHAMPION]


def test_the_archive_shows_who_won_and_the_list_of_tournaments_is_not_flooded(house):
    cups.hold()
    cup = play_out(Tournament.objects.get(game=GAME))
    client = Client()

    archive = client.get("/tournaments/cups/").content.decode()
    assert cup.name in archive
    assert "Champion:" in archive
    assert cup.name not in client.get("/tournaments/").content.decode()
    page = client.get(f"/tournaments/{cup.pk}/").content.decode()
    assert "Daily cups" in page
    assert "and the house bots" in page
    told = client.get(f"/api/v1/tournaments/{cup.pk}/").json()
    assert told["cup_on"] == cup.cup_on.isoformat()
    assert client.get("/tournaments/cups/?cursor=nonsense").status_code == 200


def test_replays_of_old_cups_go_with_those_of_the_ladder(house, settings):
    settings.KEEP_REPLAYS_DAYS = 5
    cups.hold()
    play_out(Tournament.objects.get(game=GAME))
    Match.all_objects.update(finished_at=timezone.now() - timedelta(days=6))
    assert Play.objects.exclude(replay="").exists()

    housekeeping.drop_old_replays()

    assert not Play.objects.exclude(replay="").exists()


def test_there_are_none_where_the_operator_wants_none_or_no_house_bot_plays(settings):
    assert cups.hold() == 0
    settings.DAILY_CUPS = False
    make_bot(make_user("house"), game=GAME, house_slug="random")
    assert cups.hold() == 0
    settings.DAILY_CUPS = True
    assert cups.hold() == 1
