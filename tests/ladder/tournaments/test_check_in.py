"""Check-in: who must say before the start that it will be there, and who is left out."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.utils import timezone

from ladder.boards import Board
from ladder.errors import LadderError, NotAllowed
from ladder.models import Bot, Enrolment, Tournament
from ladder.services import tournaments
from tests.factories import make_bot, make_user
from tests.ladder.tournaments.events import enter, make_tournament, started

pytestmark = pytest.mark.django_db

Status = Enrolment.Status


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    cache.clear()


@pytest.fixture
def cup() -> Tournament:
    """It starts in an hour; for the half hour before, one checks in."""
    return make_tournament(check_in_minutes=30, start_at=timezone.now() + timedelta(hours=1))


def open_check_in(cup: Tournament, minutes: int = 10) -> Tournament:
    """It starts in so many minutes."""
    Tournament.objects.filter(pk=cup.pk).update(
        start_at=timezone.now() + timedelta(minutes=minutes)
    )
    cup.refresh_from_db()
    return cup


def check_in(cup: Tournament, bot: Bot) -> Enrolment:
    return tournaments.check_in(tournament=cup, bot=bot, by=bot.owner)


def statuses(cup: Tournament) -> dict[int, str]:
    return dict(cup.enrolments.values_list("bot", "status"))


def start_on_time(cup: Tournament) -> Tournament:
    # A little in the past: SQLite's clock counts milliseconds, and Python's is finer.
    Tournament.objects.filter(pk=cup.pk).update(start_at=timezone.now() - timedelta(seconds=1))
    tournaments.advance_all()
    cup.refresh_from_db()
    return cup


def test_bots_that_did_not_check_in_are_left_out_at_the_start(cup):
    here, there, away = enter(cup, 3)
    open_check_in(cup)
    check_in(cup, here)
    check_in(cup, there)

    start_on_time(cup)

    assert cup.status == Tournament.Status.RUNNING
    assert statuses(cup) == {
        here.pk: Status.ENROLLED,
        there.pk: Status.ENROLLED,
        away.pk: Status.ABSENT,
    }


def test_without_check_in_nobody_is_left_out():
    cup = make_tournament(start_at=timezone.now() + timedelta(hours=1))
    enter(cup, 3)

    start_on_time(cup)

    assert set(statuses(cup).values()) == {Status.ENROLLED}


def test_started_by_hand_before_check_in_opens_nobody_is_left_out(cup):
    enter(cup, 3)

    started(cup)

    assert set(statuses(cup).values()) == {Status.ENROLLED}


def test_house_bots_and_who_enrols_late_need_not_check_in(cup):
    house = make_bot(seat_counts=[2], is_house=True)
    early = enter(cup, 1)[0]
    tournaments.enrol(tournament=cup, bot=house, by=cup.organiser)
    open_check_in(cup)
    late = enter(cup, 1)[0]

    start_on_time(cup)

    assert statuses(cup) == {
        early.pk: Status.ABSENT,
        house.pk: Status.ENROLLED,
        late.pk: Status.ENROLLED,
    }


def test_a_check_in_counts_for_the_start_it_was_made_for(cup):
    bots = enter(cup, 2)
    open_check_in(cup)
    for bot in bots:
        check_in(cup, bot)
    assert all(one.has_checked_in for one in cup.enrolments.all())

    open_check_in(cup, minutes=24 * 60)  # it is put off

    assert not any(one.has_checked_in for one in cup.enrolments.all())


def test_a_tournament_to_which_too_few_come_is_called_off(cup):
    here, _ = enter(cup, 2)
    open_check_in(cup)
    check_in(cup, here)

    start_on_time(cup)

    assert cup.status == Tournament.Status.CANCELLED
    assert cup.note.endswith("needs 2 bots that play and have checked in; it has 1.")


def test_one_checks_in_ones_own_enrolled_bot_while_check_in_is_open(cup):
    bot = enter(cup, 1)[0]
    stranger = make_bot(seat_counts=[2])

    with pytest.raises(LadderError, match="Check-in opens on"):
        check_in(cup, bot)
    open_check_in(cup)
    with pytest.raises(NotAllowed):
        tournaments.check_in(tournament=cup, bot=bot, by=stranger.owner)
    with pytest.raises(LadderError, match="does not take part"):
        check_in(cup, stranger)
    check_in(cup, bot)
    check_in(cup, bot)  # twice does no harm
    enter(cup, 1)
    started(cup)
    with pytest.raises(LadderError, match="only possible before it starts"):
        check_in(cup, bot)


def test_a_tournament_without_check_in_says_so():
    cup = make_tournament()
    bot = enter(cup, 1)[0]

    with pytest.raises(LadderError, match="Noodle Cup has no check-in"):
        check_in(cup, bot)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"start_at": None}, "Set a start time to use check-in."),
        ({"check_in_minutes": 1441}, "Check-in can take at most 1,440 minutes."),
        (
            {"entry": "top", "top_count": 4},
            "The top of the board enters at the start, without check-in.",
        ),
    ],
)
def test_a_check_in_that_cannot_be_is_refused(fields, sentence):
    asked = {"check_in_minutes": 30, "start_at": timezone.now() + timedelta(hours=1)} | fields

    with pytest.raises(LadderError) as refused:
        make_tournament(board=Board("ramen_ramen", 2), **asked)

    assert str(refused.value) == sentence


def test_the_page_and_my_bots_have_a_button_while_check_in_is_open(client, cup):
    alice = make_user("alice")
    bot = make_bot(alice, name="Miso", seat_counts=[2])
    tournaments.enrol(tournament=cup, bot=bot, by=alice)
    client.force_login(alice)
    pages = (f"/tournaments/{cup.pk}/", "/my-bots/")
    button = 'value="check-in"'

    assert not any(button in client.get(path).content.decode() for path in pages)
    assert "Check in from" in client.get(pages[0]).content.decode()
    open_check_in(cup)
    assert all(button in client.get(path).content.decode() for path in pages)
    told = client.post(f"{pages[0]}act/", {"act": "check-in", "bot": bot.pk}, follow=True)

    assert "Miso is checked in for Noodle Cup." in told.content.decode()
    assert "checked in</span>" in told.content.decode()
    assert not any(button in client.get(path).content.decode() for path in pages)


def test_who_was_left_out_is_told_so(client, cup):
    here, there, away = enter(cup, 3)
    open_check_in(cup)
    check_in(cup, here)
    check_in(cup, there)
    start_on_time(cup)

    everyone = client.get(f"/tournaments/{cup.pk}/").content.decode()
    client.force_login(away.owner)
    own = client.get(f"/tournaments/{cup.pk}/").content.decode()

    assert "Did not check in:" in everyone
    assert away.name in everyone
    assert "It did not check in and does not take part." in own
